/**
 * The events by which a lead counts as answered. Each reply of staff is recorded, and may be withdrawn; one by email
 * may fail. Either may be restored. These events are in the lead's own stream, and name the reply by its id. The words
 * are elsewhere: an email, a call or a WhatsApp message in `answer.ts`, a chat in its own streams; an email from a
 * staff member's own program is a note, whose events say the same themselves.
 *
 * The status, when and by whom the lead was answered, and the owner follow from the replies that count, as long as
 * staff have not set the status or the owner since. See events/decisions/17-answers-derived.md.
 */

import * as v from 'valibot'
import { defineEvent, type RecordedEvent } from '../../base/definition.ts'
import { instant } from '../../base/text.ts'
import {
  type FollowUp,
  type FollowUpEvent,
  type FollowUpStatus,
  fieldsOf,
  type leadFollowUpChanged,
  pickFields,
} from './follow-up.ts'

const id = v.pipe(v.string(), v.uuid())

/** The channels of a reply whose words are not in the lead's own stream. */
const CHANNELS = ['email', 'whatsapp', 'call', 'chat'] as const

/**
 * Staff replied to a lead. `by` is the author, who becomes its owner, unless `ownerId` names a colleague. `at` is when
 * they replied, if not now. `sessionId` is the chat in which they did; `isCounted` that a staff member counted their
 * messages there as the reply.
 */
export const leadAnswered = defineEvent({
  type: 'LeadAnswered',
  schemaVersion: 1,
  data: v.object({
    answerId: id,
    channel: v.picklist(CHANNELS),
    by: id,
    ownerId: v.exactOptional(id),
    at: v.exactOptional(instant),
    sessionId: v.exactOptional(id),
    isCounted: v.exactOptional(v.literal(true)),
  }),
  personal: null,
})

/** Staff withdrew a reply: it was recorded by mistake, or was not a real reply. */
export const leadAnswerWithdrawn = defineEvent({
  type: 'LeadAnswerWithdrawn',
  schemaVersion: 1,
  data: v.object({ answerId: id, channel: v.picklist(CHANNELS), by: id }),
  personal: null,
})

/** A reply by email reached no one, and is not tried again by itself. */
export const leadAnswerFailed = defineEvent({
  type: 'LeadAnswerFailed',
  schemaVersion: 1,
  data: v.object({ answerId: id }),
  personal: null,
})

/**
 * A withdrawn or failed reply counts again: `by` a staff member who says so, or because the email was sent again and
 * arrived (`at`).
 */
export const leadAnswerRestored = defineEvent({
  type: 'LeadAnswerRestored',
  schemaVersion: 1,
  data: v.object({ answerId: id, by: v.exactOptional(id), at: v.exactOptional(instant) }),
  personal: null,
})

/** The events of a lead's stream that say which replies count. */
export const answeredEvents = [leadAnswered, leadAnswerWithdrawn, leadAnswerFailed, leadAnswerRestored] as const

export type LeadAnsweredEvent = RecordedEvent<(typeof answeredEvents)[number]>

/** The events that may change the status or the owner of a lead. */
export type StatusEvent = LeadAnsweredEvent | FollowUpEvent

/** The reply that an event is about; undefined for other events. */
export const answerIdOf = ({ data }: { data: object }): string | undefined =>
  'answerId' in data && typeof data.answerId === 'string' ? data.answerId : undefined

/**
 * A reply that determines the status of a lead (`isStatus`), or its owner (`isOwner`), or both. `by` is its author,
 * `at` when it was given or arrived.
 */
export type GivenAnswer = {
  id: string
  by: string
  at: string
  ownerId: string
  isStatus: boolean
  isOwner: boolean
  isWithdrawn: boolean
  hasFailed: boolean
}

/** The state that follows from the replies to a lead, unless staff have set it since. */
export type AnsweredState = {
  followUpStatus: FollowUpStatus
  ownerId: string | null
  answeredAt: string | null
  answeredBy: string | null
  givenAnswers: GivenAnswer[]
}

const withReply = (state: AnsweredState, answer: Pick<GivenAnswer, 'id' | 'by' | 'ownerId' | 'at'>) => {
  const { followUpStatus, ownerId, givenAnswers } = state
  const isStatus = followUpStatus === 'new' || givenAnswers.some((each) => each.isStatus)
  const isOwner = ownerId === null || givenAnswers.some((each) => each.isOwner)
  if (!isStatus && !isOwner) return givenAnswers
  return [...givenAnswers, { ...answer, isStatus, isOwner, isWithdrawn: false, hasFailed: false }]
}

/** The changes that an event makes to an earlier reply. */
const changeOf = (event: StatusEvent, { at, isWithdrawn }: GivenAnswer): Partial<GivenAnswer> => {
  switch (event.type) {
    case 'LeadAnswerWithdrawn':
    case 'LeadNoteRemoved':
      return { isWithdrawn: true }
    case 'LeadNoteAdded':
      return { isWithdrawn: false }
    case 'LeadAnswerFailed':
      return { hasFailed: true }
    case 'LeadAnswerRestored':
      return isWithdrawn ? { isWithdrawn: false } : { hasFailed: false, at: event.data.at ?? at }
    default:
      return {}
  }
}

/** The replies that determine something after an event. */
const evolveAnswers = (state: AnsweredState, event: StatusEvent): GivenAnswer[] => {
  const { givenAnswers } = state
  const id = answerIdOf(event)
  if (id === undefined) return givenAnswers
  if (givenAnswers.some((answer) => answer.id === id)) {
    return givenAnswers.map((answer) => (answer.id === id ? { ...answer, ...changeOf(event, answer) } : answer))
  }
  const now = event.recordedAt.toISOString()
  if (event.type === 'LeadAnswered') {
    const { by, ownerId = by, at = now } = event.data
    return withReply(state, { id, by, ownerId, at })
  }
  if (event.type !== 'LeadNoteAdded') return givenAnswers
  const { by, answeredAt: at = now } = event.data
  return withReply(state, { id, by, ownerId: by, at })
}

/** The first reply that counts determines the status, the first one that was not withdrawn the owner. */
const afterAnswer = (state: AnsweredState, event: StatusEvent): AnsweredState => {
  const answers = evolveAnswers(state, event)
  if (answers.length === 0) return state
  const counting = answers.filter(({ isStatus, isWithdrawn, hasFailed }) => isStatus && !isWithdrawn && !hasFailed)
  const [first] = counting.toSorted((one, other) => one.at.localeCompare(other.at))
  const owner = answers.find(({ isOwner, isWithdrawn }) => isOwner && !isWithdrawn)
  return {
    ...state,
    ...(answers.some(({ isStatus }) => isStatus) && {
      followUpStatus: first ? 'contacted' : 'new',
      answeredAt: first?.at ?? null,
      answeredBy: first?.by ?? null,
    }),
    ...(answers.some(({ isOwner }) => isOwner) && { ownerId: owner?.ownerId ?? null }),
    givenAnswers: answers,
  }
}

/** A lead that has left `new` has been answered; back in `new`, it has not. */
const answeredAfter = (state: AnsweredState, { data, recordedAt }: RecordedEvent<typeof leadFollowUpChanged>) => {
  const { answeredAt, answeredBy } = state
  if (data.answeredAt !== undefined) return { answeredAt: data.answeredAt, answeredBy: data.answeredBy ?? null }
  if ((data.followUpStatus ?? state.followUpStatus) === 'new') return { answeredAt: null, answeredBy: null }
  return answeredAt ? { answeredAt, answeredBy } : { answeredAt: recordedAt.toISOString(), answeredBy: data.by }
}

/** A field that staff set no longer follows from the replies before it. */
const afterChange = (state: AnsweredState, event: RecordedEvent<typeof leadFollowUpChanged>) => {
  const { followUpStatus, ownerId } = event.data
  const givenAnswers = state.givenAnswers.flatMap((answer) => {
    const isStatus = answer.isStatus && followUpStatus === undefined
    const isOwner = answer.isOwner && ownerId === undefined
    return isStatus || isOwner ? [{ ...answer, isStatus, isOwner }] : []
  })
  const change = pickFields(event.data, fieldsOf(event.data))
  return { ...state, ...answeredAfter(state, event), ...change, givenAnswers }
}

/** How staff have followed a lead up after an event. */
export const followedUp = (state: AnsweredState, event: StatusEvent): AnsweredState & FollowUp => {
  if (event.type === 'LeadFollowUpChanged') return afterChange(state, event)
  return answerIdOf(event) === undefined ? state : afterAnswer(state, event)
}
