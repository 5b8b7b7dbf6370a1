/**
 * The life of a contract: signed, accepted by a staff member or declined, live, notice given, ended. Each step is an
 * event in the contract's stream, and the last one can be undone. The end is a date, not an event.
 */

import { addMonths } from 'date-fns/addMonths'
import { formatISO } from 'date-fns/formatISO'
import { parseISO } from 'date-fns/parseISO'
import * as v from 'valibot'
import { addDays, agencyDay } from '../base/agency-day.ts'
import { defineEvent, type RecordedEvent, typesOf } from '../base/definition.ts'
import { calendarDay, givenId, requiredText } from '../base/text.ts'
import type { ContractState } from './wire.ts'

const id = v.pipe(v.string(), v.uuid())
const day = v.pipe(v.string(), v.isoDate())
/** `by` is the staff member. `isEmailed`: whether the client gets an email about the step, at the address `to`. */
const emailedStep = { leadId: id, by: id, isEmailed: v.boolean() }

/** A staff member accepted a contract, and so countersigned it with their name. */
export const contractAccepted = defineEvent({
  type: 'ContractAccepted',
  schemaVersion: 1,
  data: v.object(emailedStep),
  personal: v.object({ to: v.string(), countersignedBy: v.string() }),
})

/** A staff member declined a contract. */
export const contractDeclined = defineEvent({
  type: 'ContractDeclined',
  schemaVersion: 1,
  data: v.object({ leadId: id, by: id }),
  personal: v.object({ reason: v.string() }),
})

/** All texts and pictures of the client had arrived `on` a day: the promised time until the site is live counts from it. */
export const contractContentReceived = defineEvent({
  type: 'ContractContentReceived',
  schemaVersion: 1,
  data: v.object({ leadId: id, by: id, on: day }),
  personal: null,
})

/** The site went live `on` a day. `endsOn` is the last day of a contract without a monthly fee; null for others. */
export const contractWentLive = defineEvent({
  type: 'ContractWentLive',
  schemaVersion: 1,
  data: v.object({ ...emailedStep, on: day, endsOn: v.nullable(day) }),
  personal: v.object({ to: v.string() }),
})

/** The client gave notice `on` a day; `endsOn` is the last day of the contract. */
export const contractNoticeGiven = defineEvent({
  type: 'ContractNoticeGiven',
  schemaVersion: 1,
  data: v.object({ ...emailedStep, on: day, endsOn: day }),
  personal: v.object({ to: v.string() }),
})

/** A staff member undid the last step of a contract. */
export const contractStepUndone = defineEvent({
  type: 'ContractStepUndone',
  schemaVersion: 1,
  data: v.object({ leadId: id, by: id, undoes: id }),
  personal: null,
})

const stepEvents = [
  contractAccepted,
  contractDeclined,
  contractContentReceived,
  contractWentLive,
  contractNoticeGiven,
] as const

/** A step in the life of a contract. */
export type StepEvent = RecordedEvent<(typeof stepEvents)[number]>

/** The events that make up the life of a contract. */
export const lifeEvents = [...stepEvents, contractStepUndone] as const

export type LifeEvent = RecordedEvent<(typeof lifeEvents)[number]>

export const LIFE_TYPES = typesOf(lifeEvents)

/** Whether an event belongs to the life of a contract. */
export const isLifeEvent = (event: { type: string }): event is LifeEvent =>
  LIFE_TYPES.some((type) => type === event.type)

const STEP_STATES = {
  ContractAccepted: 'accepted',
  ContractDeclined: 'declined',
  ContractContentReceived: 'content',
  ContractWentLive: 'live',
  ContractNoticeGiven: 'notice',
} as const satisfies Record<StepEvent['type'], string>

/** A step that was not undone. The personal part is null if it is unknown, as after an erasure. */
export type Step = {
  id: string
  state: (typeof STEP_STATES)[StepEvent['type']]
  by: string
  /** When it was recorded, ISO 8601. */
  at: string
  /** The day of the go-live or the notice, and the last day that follows from it. */
  on: string | null
  endsOn: string | null
  isEmailed: boolean
  countersignedBy: string | null
  reason: string | null
}

/**
 * The steps of a contract, oldest first, and the version of the stream at its last change; 0 if there was none.
 * `erasedOn` is the day on which its client was erased, which ends it.
 */
export type Life = { steps: Step[]; version: number; erasedOn: string | null }

export const NO_LIFE: Life = { steps: [], version: 0, erasedOn: null }

const stepOf = ({ id, type, data, personal, recordedAt }: StepEvent): Step => ({
  id,
  state: STEP_STATES[type],
  by: data.by,
  at: recordedAt.toISOString(),
  on: 'on' in data ? data.on : null,
  endsOn: 'endsOn' in data ? data.endsOn : null,
  isEmailed: 'isEmailed' in data && data.isEmailed,
  countersignedBy: personal && 'countersignedBy' in personal ? personal.countersignedBy : null,
  reason: personal && 'reason' in personal ? personal.reason : null,
})

/** The life of a contract after an event of its stream, oldest first. */
export const evolveLife = ({ steps, erasedOn }: Life, event: LifeEvent): Life => ({
  erasedOn,
  steps:
    event.type === 'ContractStepUndone'
      ? steps.filter(({ id }) => id !== event.data.undoes)
      : [...steps, stepOf(event)],
  version: event.version,
})

/** The day on which a contract went live; null as long as it has not. */
export const liveOn = ({ steps }: Pick<Life, 'steps'>): string | null =>
  steps.find(({ state }) => state === 'live')?.on ?? null

/** The day on which all texts and pictures had arrived; null as long as that is not recorded. */
export const contentOn = ({ steps }: Pick<Life, 'steps'>): string | null =>
  steps.find(({ state }) => state === 'content')?.on ?? null

/** The state that the last step has made. */
export const stepState = ({ steps }: Pick<Life, 'steps'>): Exclude<ContractState, 'ended'> =>
  steps.flatMap(({ state }) => (state === 'content' ? [] : [state])).at(-1) ?? 'signed'

/**
 * The last day of a contract; null as long as no end is set. A live contract whose client is erased ends the day before,
 * unless it has ended by then.
 */
export const endsOn = (life: Pick<Life, 'steps' | 'erasedOn'>): string | null => {
  const end = life.steps.findLast(({ state }) => state !== 'content')?.endsOn ?? null
  const before = life.erasedOn !== null && liveOn(life) !== null ? addDays(life.erasedOn, -1) : null
  return before !== null && (end === null || before < end) ? before : end
}

/** The state of a contract on a day. */
export const contractState = (life: Pick<Life, 'steps' | 'erasedOn'>, today: string): ContractState => {
  const end = endsOn(life)
  return end !== null && end < today ? 'ended' : stepState(life)
}

/** How many days after the notice a contract ends, unless its terms say another number. */
export const NOTICE_DAYS = 30
/** How long bugs are fixed for free after the delivery of a site without a monthly fee (terms of Essential). */
export const CARE_DAYS = 30

/**
 * The last day of a number of months that begin on a day: the one before the same day, or the last of a month that has
 * no such day.
 */
export const lastDayOf = (first: string, months: number): string => {
  const same = formatISO(addMonths(parseISO(first), months), { representation: 'date' })
  return same.slice(8) === first.slice(8) ? addDays(same, -1) : same
}

/** When notice is given, and the terms: the minimum term and the days of notice. */
type Notice = { on: string; liveOn: string; months: number; noticeDays?: number | null }

/** The last day of a contract for which notice is given: its days later, but not before its minimum term is over. */
export const lastDayAfterNotice = ({ on, liveOn, months, noticeDays }: Notice): string => {
  const [after, minimum] = [addDays(on, noticeDays ?? NOTICE_DAYS), lastDayOf(liveOn, months)]
  return after > minimum ? after : minimum
}

/**
 * The first day on which a contract can end: the set one, or that after a notice given today. Null as long as it is not
 * live. `months` is the minimum term, null without a monthly fee.
 */
export const firstPossibleEnd = (
  life: Life,
  { months, noticeDays = null }: { months: number | null; noticeDays?: number | null },
  today: string,
): string | null => {
  const live = liveOn(life)
  const end = endsOn(life)
  if (end !== null || live === null || months === null) return end
  return lastDayAfterNotice({ on: today, liveOn: live, months, noticeDays })
}

/** The request of a step; the body of `POST /api/leads/:id/contract/steps`. */
export const stepRequest = v.variant('step', [
  v.strictObject({ step: v.literal('accept'), isEmailed: v.boolean() }),
  v.strictObject({
    step: v.literal('decline'),
    reason: requiredText('Say why', { max: 1_000, lines: true }),
  }),
  v.strictObject({ step: v.literal('content'), on: calendarDay }),
  v.strictObject({ step: v.literal('live'), on: calendarDay, isEmailed: v.boolean() }),
  v.strictObject({ step: v.literal('notice'), on: calendarDay, isEmailed: v.boolean() }),
  v.strictObject({ step: v.literal('undo'), eventId: givenId() }),
])

export type StepRequest = v.InferOutput<typeof stepRequest>

/** How many days after it was recorded a step can be undone, even if its mistyped day has ended the contract. */
const UNDO_DAYS = 7

/** Whether the last step of a contract, which is in `state` on the day `today`, can be undone. */
export const canUndo = ({ at }: Pick<Step, 'at'>, state: string, today: string): boolean =>
  state !== 'ended' || addDays(agencyDay(new Date(at)), UNDO_DAYS) >= today

/** The facts that decide whether a step is possible. Days are in the agency's time zone. */
export type SteppingContract = { life: Life; signedOn: string; months: number | null; today: string }

/** Why a request is refused; `field` names the wrong field. */
export type StepRefusal = { detail: string; field?: 'on' }

const refusedLive = ({ signedOn, today }: SteppingContract, on: string): StepRefusal | undefined => {
  if (on < signedOn) return { field: 'on', detail: 'The go-live date is before the signature' }
  return on > today
    ? { field: 'on', detail: 'The go-live date is in the future: set it once the site is live' }
    : undefined
}

const refusedContent = ({ life, signedOn, today }: SteppingContract, on: string): StepRefusal | undefined => {
  if (contentOn(life) !== null) return { detail: 'The content has arrived already' }
  if (on < signedOn) return { field: 'on', detail: 'The day is before the signature' }
  return on > today ? { field: 'on', detail: 'The day is in the future' } : undefined
}

const refusedNotice = ({ life, months, today }: SteppingContract, on: string): StepRefusal | undefined => {
  if (months === null) return { detail: 'This contract has no monthly fee: there is nothing to cancel' }
  if (on < (liveOn(life) ?? '')) return { field: 'on', detail: 'The notice is before the go-live date' }
  return on > today ? { field: 'on', detail: 'The day of the notice is in the future' } : undefined
}

const NEEDED: Record<Exclude<StepRequest['step'], 'undo'>, { states: readonly ContractState[]; detail: string }> = {
  accept: { states: ['signed'], detail: 'Only a contract that was just signed can be accepted' },
  decline: { states: ['signed'], detail: 'Only a contract that was just signed can be declined' },
  content: { states: ['signed', 'accepted'], detail: 'The content is needed only until the site is live' },
  live: { states: ['accepted'], detail: 'Only an accepted contract can go live' },
  notice: { states: ['live'], detail: 'Notice is given on a live contract only' },
}

/** Why a step cannot be taken; undefined if it can. */
export const stepRefusal = (contract: SteppingContract, request: StepRequest): StepRefusal | undefined => {
  const { life, today } = contract
  const state = contractState(life, today)
  if (request.step === 'undo') {
    const last = life.steps.at(-1)
    if (request.eventId !== last?.id) return { detail: 'Only the last step can be undone' }
    return canUndo(last, state, today)
      ? undefined
      : { detail: 'The contract has ended: its steps can no longer be undone' }
  }
  const needed = NEEDED[request.step]
  if (!needed.states.includes(state)) return { detail: needed.detail }
  if (request.step === 'content') return refusedContent(contract, request.on)
  if (request.step === 'live') return refusedLive(contract, request.on)
  return request.step === 'notice' ? refusedNotice(contract, request.on) : undefined
}
