import type { AnyRecordedEvent } from '../events/catalogue.ts'
import type { RecordedEvent } from '../events/definition.ts'
import type { emailForwarded, emailForwardFailed } from '../events/email.ts'
import { leadFollowUpChanged } from '../events/follow-up.ts'
import { holdsErasure, isUndoable } from '../events/follow-up-history.ts'
import { leadStreams } from '../events/lead.ts'
import { leadAnswerStreams } from '../events/lead-answer.ts'
import { leadContactStreams } from '../events/lead-contact.ts'
import { mergeStreams } from '../events/lead-merge.ts'
import { answeredId } from '../events/log/answer-changes.ts'
import type { Appender } from '../events/log/append.ts'
import {
  advanceActingConsumer,
  assertSameHistory,
  prepareActingConsumer,
  readCheckpoint,
} from '../events/log/checkpoints.ts'
import type { Sql } from '../events/log/connection.ts'
import { contextCausedBy, runWith } from '../events/log/context.ts'
import { deterministicUuid } from '../events/log/event-id.ts'
import { handle } from '../events/log/handle.ts'
import { type KnownLead, readFamily } from '../events/log/lead-family.ts'
import { readDeclared, readStreams } from '../events/log/read.ts'
import { FAILED_ANSWERS, OUTCOME_EVENTS } from '../events/projections/readers.ts'
import type { PassOver } from './pass-over.ts'

const BATCH_EVENTS = 500

/** What came of an email longer ago is looked at no more: where this rule is new, no old lead changes under its owner. */
const LOOKED_AT_FOR_MS = 7 * 24 * 60 * 60 * 1000

/** With these an email has reached nobody for certain. What may have arrived counts as an answer. */
const NOT_ARRIVED: readonly string[] = ['rejected', 'expired']

type Outcome = RecordedEvent<typeof emailForwarded> | RecordedEvent<typeof emailForwardFailed>
type Settling = { sql: Sql; log: Pick<Appender, 'append'>; passOver: PassOver }

/** Makes the checkpoint of failed answers where there is none. */
export const prepareFailedAnswers = (sql: Sql): Promise<void> => prepareActingConsumer(sql, FAILED_ANSWERS)

/** Whether an event says for certain that an email reached somebody, or that it did not. */
const isCertain = (event: AnyRecordedEvent): event is AnyRecordedEvent & Outcome =>
  event.type === 'EmailForwarded' ||
  (event.type === 'EmailForwardFailed' && !event.data.willRetry && NOT_ARRIVED.includes(event.data.reason))

/** Whether staff have answered these leads in another way than by an email. */
const hasOtherAnswer = async (sql: Sql, leadIds: string[], emailId: string): Promise<boolean> => {
  const [answers, contacts] = await Promise.all([
    readStreams(sql, leadIds.map(leadAnswerStreams.of), { types: ['LeadEmailWritten', 'LeadContacted'] }),
    readStreams(sql, leadIds.map(leadContactStreams.of), { types: ['LeadContactRemoved'] }),
  ])
  const removed = new Set(contacts.map(({ data }) => data.contactId))
  return answers.some(({ id }) => id !== emailId && !removed.has(id))
}

/** What the outcome of an email changes in the lead that it answered; nothing where staff have changed that since. */
const changeBy = ({ id, type, recordedAt, data: { forwardId } }: Outcome, { events }: KnownLead) => {
  const answered = events.find((event) => event.id === answeredId(forwardId))
  if (answered?.type !== 'LeadFollowUpChanged') return undefined
  const { by } = answered.data
  if (type === 'EmailForwardFailed') {
    if (!isUndoable(answered, events)) return undefined
    const waits = { followUpStatus: 'new' as const, answeredAt: null, failedEmailId: forwardId }
    return { id: deterministicUuid('answer failed', id), ...leadFollowUpChanged({ ...waits, by, undoes: answered.id }) }
  }
  const failed = events.findLast(
    ({ type, data }) =>
      type === 'LeadFollowUpChanged' && data.failedEmailId === forwardId && data.followUpStatus === 'new',
  )
  if (!failed || !isUndoable(failed, events)) return undefined
  const answeredAt = recordedAt.toISOString()
  const isAnswered = { followUpStatus: 'contacted' as const, answeredAt, failedEmailId: forwardId }
  return {
    id: deterministicUuid('answer arrived', id),
    ...leadFollowUpChanged({ ...isAnswered, by, undoes: failed.id }),
  }
}

/** Has a lead wait again whose answer reached nobody, or no more, once that was sent again and arrived. */
const settle = ({ sql, log }: Settling, to: string, outcome: Outcome) =>
  handle(log, {
    read: async () => {
      const family = await readFamily(sql, [to])
      const changed = answeredId(outcome.data.forwardId)
      const known = [...family.values()].find(({ events }) => events.some(({ id }) => id === changed))
      const guards = [...family].map(([id, { mergeVersion }]) => ({
        stream: mergeStreams.of(id),
        version: mergeVersion,
      }))
      const isAnswered = await hasOtherAnswer(sql, [...family.keys()], outcome.data.forwardId)
      const stream = leadStreams.of(known?.own.id ?? to)
      return { known, isAnswered, stream, version: known?.own.version ?? 0, guards }
    },
    decide: ({ known, isAnswered }) => {
      // nothing that changes in a lead that was merged into another is shown
      if (!known || known.merge || isAnswered || holdsErasure(known.events)) return undefined
      return changeBy(outcome, known)
    },
    isOnce: true,
    readsGuards: true,
  })

/**
 * Reads the next part of the log. A lead whose answer by email was refused, or expired, waits again, as nobody has reached
 * its person; once the email is sent again and arrives, it does so no more. To do it twice changes nothing. A lead that
 * cannot be read, as its data key is lost, holds up no other. Answers whether there may be more.
 */
export const settleAnswers = async (settling: Settling, now = new Date()): Promise<boolean> => {
  const { sql, passOver } = settling
  const checkpoint = await readCheckpoint(sql, FAILED_ANSWERS)
  if (!checkpoint) throw new Error('The failed answers have no checkpoint')
  assertSameHistory(FAILED_ANSWERS, checkpoint)
  const { events, position, hasMore } = await readDeclared(sql, checkpoint.position, BATCH_EVENTS, {
    types: OUTCOME_EVENTS,
    opened: [],
  })
  const since = now.getTime() - LOOKED_AT_FOR_MS
  for (const outcome of events.filter(isCertain)) {
    const leadId = leadAnswerStreams.idOf(outcome.stream)
    if (leadId === undefined || outcome.recordedAt.getTime() < since) continue
    await runWith(contextCausedBy(outcome, FAILED_ANSWERS.name), () => settle(settling, leadId, outcome)).catch(
      (error) => passOver({ leadId }, error),
    )
  }
  if (position > checkpoint.position)
    await advanceActingConsumer(sql, FAILED_ANSWERS, { from: checkpoint, to: position })
  return hasMore
}
