import { addDays, agencyDay, startOfDay } from '../base/agency-day.ts'
import { HOUR_MS } from '../base/time.ts'
import type { AnyRecordedEvent } from '../catalogue.ts'
import type { FollowUpStatus } from '../lead/follow-up/follow-up.ts'
import { evolveLead, isLeadEvent, type Lead, type LeadEvent } from '../lead/lead.ts'
import type { Overview } from '../lead/screens/overview.ts'
import { type SupportHoursHistory, supportTimeUnder } from '../settings/support-hours-history.ts'

/** When a lead was won last, by its events: undoing the event that ended that leads back to the same time. */
const wonSince = (events: LeadEvent[]) => {
  let since: Date | undefined
  let status: FollowUpStatus = 'new'
  for (const event of events) {
    if (event.type !== 'LeadFollowUpChanged') continue
    const next: FollowUpStatus = event.data.followUpStatus ?? status
    if (next === 'won' && status !== 'won' && !(event.data.undoes && since)) since = event.recordedAt
    status = next
  }
  return since
}

const LIMITS = { within_1h: 1, within_2h: 2, within_4h: 4, within_10h: 10, later: Number.POSITIVE_INFINITY }

/** Folds the log up to an instant, lead by lead, with nothing cached. */
const foldOverview = (events: AnyRecordedEvent[], { asOf, days, now }: { asOf: string; days: number; now: Date }) => {
  const end = startOfDay(addDays(asOf, 1))
  const past = events.filter(({ recordedAt }) => recordedAt < end)
  const hours: SupportHoursHistory = past.flatMap((event) =>
    event.type === 'SupportHoursChanged' ? [{ validFrom: event.recordedAt, hours: event.data }] : [],
  )
  const from = addDays(asOf, 1 - days)
  const isInRange = (at: Date) => agencyDay(at) >= from && agencyDay(at) <= asOf
  const leads = [...Map.groupBy(past.filter(isLeadEvent), ({ stream }) => stream).values()].flatMap((stream) => {
    const lead = stream.reduce<Lead | undefined>(evolveLead, undefined)
    const isCounted = lead && !lead.suspicion && lead.followUpStatus !== 'erased'
    return isCounted ? [{ ...lead, at: new Date(lead.timestamp), events: stream }] : []
  })
  const inRange = leads.filter(({ at }) => isInRange(at))
  const won = leads
    .filter(({ followUpStatus }) => followUpStatus === 'won')
    .map((lead) => ({
      at: lead.conversionDate ? new Date(lead.conversionDate) : (wonSince(lead.events) ?? end),
      value: lead.projectValue ?? 0,
    }))
    .filter(({ at }) => isInRange(at))
  const replyTime = ({ at, answeredAt }: (typeof inRange)[number]) => {
    if (!answeredAt) return 'waiting'
    const took = supportTimeUnder(hours, at, new Date(answeredAt))
    return Object.entries(LIMITS).find(([, limit]) => took <= limit * HOUR_MS)?.[0]
  }
  const groups = <Row>(rows: Row[], key: (row: Row) => string | undefined) =>
    Object.fromEntries(
      [...Map.groupBy(rows, key)].map(([name, ofKey]) => [
        name,
        {
          leads: ofKey.length,
          won: ofKey.filter((row) => 'followUpStatus' in (row as object) && (row as Lead).followUpStatus === 'won')
            .length,
        },
      ]),
    )
  const until = now < end ? now : end
  return {
    leads: inRange.length,
    daily: groups(inRange, ({ at, leadSource }) => `${agencyDay(at)} ${leadSource}`),
    sources: groups(inRange, ({ leadSource }) => leadSource),
    packages: groups(inRange, (lead) => lead.package?.split(' ')[0]?.toLowerCase() ?? 'none'),
    replies: groups(inRange, replyTime),
    overdue: inRange.filter(({ at, answeredAt }) => !answeredAt && supportTimeUnder(hours, at, until) > 2 * HOUR_MS)
      .length,
    won: won.length,
    value: Math.round(won.reduce((sum, { value }) => sum + value, 0) * 100),
    wonDaily: groups(won, ({ at }) => agencyDay(at)),
  }
}

const byKey = <Row extends { leads: number; won?: number }>(rows: Row[], key: (row: Row) => string) =>
  Object.fromEntries(
    rows.filter(({ leads }) => leads > 0).map((row) => [key(row), { leads: row.leads, won: row.won ?? 0 }]),
  )

const withoutWon = (groups: Record<string, { leads: number }>) =>
  Object.fromEntries(Object.entries(groups).map(([key, { leads }]) => [key, leads]))

/**
 * The content of an overview, to be compared with `folded`; the number of won leads is only given by source and by
 * package.
 */
export const contentOf = ({ leads, daily, sources, packages, replies, overdue, won }: Omit<Overview, 'recurring'>) => ({
  leads,
  daily: withoutWon(byKey(daily, ({ day, source }) => `${day} ${source}`)),
  sources: byKey(sources, ({ source }) => source),
  packages: byKey(packages, (row) => row.package),
  replies: withoutWon(byKey(replies, ({ time }) => time)),
  overdue,
  won: won.leads,
  value: Math.round(won.value * 100),
  wonDaily: withoutWon(byKey(won.daily, ({ day }) => day)),
})

/** The expected overview of a day, by folding the log itself. */
export const folded = (events: AnyRecordedEvent[], query: { asOf: string; days: number; now: Date }) => {
  const fold = foldOverview(events, query)
  return {
    ...fold,
    daily: withoutWon(fold.daily),
    replies: withoutWon(fold.replies),
    wonDaily: withoutWon(fold.wonDaily),
  }
}
