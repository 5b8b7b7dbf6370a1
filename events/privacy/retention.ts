import { addMonths } from 'date-fns/addMonths'
import { addYears } from 'date-fns/addYears'
import { subMonths } from 'date-fns/subMonths'
import { agencyDay } from '../base/agency-day.ts'
import { DAY_MS } from '../base/time.ts'
import { contractState, endsOn, type Life } from '../contract/life.ts'
import type { Retention } from '../settings/retention.ts'
import type { DueKind } from './wire.ts'

/** The instant before which data of a kind is due. Contracts count from their end, which is a day. */
export const dueBefore = (kind: Exclude<DueKind, 'contracts'>, periods: Retention, now: Date): Date => {
  const instants = {
    leads: subMonths(now, periods.leadMonths),
    chats: subMonths(now, periods.chatMonths),
    spam: new Date(now.getTime() - periods.spamDays * DAY_MS),
  }
  return instants[kind]
}

/** The day on which a request about privacy is no longer stored. */
export const requestEnds = (doneAt: Date, { requestMonths }: Retention): Date => addMonths(doneAt, requestMonths)

/**
 * Whether a contract has to be stored on a day, and until which day that is: null as long as no end is set. A declined
 * contract need not be.
 */
export const contractRetention = (
  life: Life,
  { contractYears }: Retention,
  today: string,
): { isStored: boolean; until: string | null } => {
  if (contractState(life, today) === 'declined') return { isStored: false, until: null }
  const end = endsOn(life)
  if (end === null) return { isStored: true, until: null }
  const until = agencyDay(addYears(new Date(`${end}T12:00:00Z`), contractYears))
  return { isStored: until >= today, until }
}
