import type { AnyRecordedEvent } from '../events/catalogue.ts'
import type { RecordedEvent } from '../events/definition.ts'
import type { emailForwarded, emailForwardFailed } from '../events/email.ts'
import { leadFollowUpChanged } from '../events/follow-up.ts'
import { holdsErasure, isUndoable } from '../events/follow-up-history.ts'
import { leadStreams } from '../events/lead.ts'
import { leadAnswerStreams } from '../events/lead-answer.ts'
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
import { readDeclared } from '../events/log/read.ts'
import { familyIds } from '../events/projections/family-ids.ts'
import { isFinalFailure, readAnswers } from '../events/projections/given-answers.ts'
import { FAILED_ANSWERS, OUTCOME_EVENTS } from '../events/projections/readers.ts'
import type { PassOver } from './pass-over.ts'

const BATCH_EVENTS = 500

/** What came of an email longer ago is looked at no more: where this rule is new, no old lead changes under its owner. */
const LOOKED_AT_FOR_MS = 7 * 24 * 60 * 60 * 1000

type Outcome = RecordedEvent<typeof emailForwarded> | RecordedEvent<typeof emailForwardFailed>
type Settling = { sql: Sql; log: Pick<Appender, 'append'>; passOver: PassOver }

/** Makes the checkpoint of failed answers where there is none. */
export const prepareFailedAnswers = (sql: Sql): Promise<void> => prepareActingConsumer(sql, FAILED_ANSWERS)

/** Whether an event says that an email reached somebody, or that it reached nobody and is not tried again by itself. */
const isCertain = (event: AnyRecordedEvent): event is AnyRecordedEvent & Outcome =>
  (event.type === 'EmailForwarded' && event.data.to !== 'outbox') ||
  (event.type === 'EmailForwardFailed' && isFinalFailure(event))

type Answers = Awaited<ReturnType<typeof readAnswers>>

/** The change by which an email stopped the clock of a lead, where nothing was changed after it; the newest. */
const stopOf = ({ events }: KnownLead, { emails }: Answers) => {
  const stop = events.findLast(({ id }) => emails.some((email) => answeredId(email.id) === id))
  const email = emails.find(({ id }) => stop && answeredId(id) === stop.id)
  if (!email || stop?.type !== 'LeadFollowUpChanged' || !isUndoable(stop, events)) return undefined
  return { stop, email }
}

/** Whether staff have answered after a position of the log, by anything but an email that reached nobody. */
const hasAnswerAfter = ({ emails, contacts, failed, removed, said }: Answers, position: number): boolean =>
  [
    ...emails.filter(({ id }) => !failed.has(id)),
    ...contacts.filter(({ id }) => !removed.includes(id)),
    ...said.filter(({ data }) => data.by !== undefined),
  ].some((answer) => answer.position > position)

/** What it changes in a lead that its answer by email reached nobody: it waits again. */
const waitAgain = (outcome: Outcome, known: KnownLead, answers: Answers) => {
  const stopped = stopOf(known, answers)
  if (!stopped || !answers.failed.has(stopped.email.id)) return undefined
  const { stop, email } = stopped
  if (hasAnswerAfter(answers, stop.position)) return undefined
  const waits = { followUpStatus: 'new' as const, answeredAt: null, failedEmailId: email.id }
  const id = deterministicUuid('answer failed', outcome.id)
  return { id, ...leadFollowUpChanged({ ...waits, by: stop.data.by, undoes: stop.id }) }
}

/** What it changes in a lead that an email for which it waits again has arrived: it is answered. */
const countArrival = ({ id, recordedAt, data: { forwardId } }: Outcome, { events }: KnownLead) => {
  const failed = events.findLast(
    (event) => event.type === 'LeadFollowUpChanged' && event.data.failedEmailId === forwardId,
  )
  if (failed?.type !== 'LeadFollowUpChanged' || failed.data.followUpStatus !== 'new') return undefined
  if (!isUndoable(failed, events)) return undefined
  const answered = { followUpStatus: 'contacted' as const, answeredAt: recordedAt.toISOString() }
  const change = { ...answered, failedEmailId: forwardId, by: failed.data.by, undoes: failed.id }
  return { id: deterministicUuid('answer arrived', id), ...leadFollowUpChanged(change) }
}

/** The lead that stays of the one to whose address an email went, with those that were merged into it. */
const readStaying = async (sql: Sql, to: string) => {
  const up = await readFamily(sql, [to])
  const stayingId = [...up.values()].find(({ merge }) => !merge)?.own.id ?? to
  const ids = [...new Set([...up.keys(), ...(await familyIds(sql, stayingId))])]
  const answers = await readAnswers(sql, ids)
  const family = await readFamily(sql, ids)
  const merges = [...family].map(([id, { mergeVersion }]) => ({ stream: mergeStreams.of(id), version: mergeVersion }))
  return { known: family.get(stayingId), stayingId, answers, guards: [...merges, ...answers.guards] }
}

/** Has a lead wait again whose answer reached nobody, or no more, once that was sent again and arrived. */
const settle = ({ sql, log }: Settling, to: string, outcome: Outcome) =>
  handle(log, {
    read: async () => {
      const found = await readStaying(sql, to)
      return { ...found, stream: leadStreams.of(found.stayingId), version: found.known?.own.version ?? 0 }
    },
    decide: ({ known, answers }) => {
      if (!known || known.merge || holdsErasure(known.events)) return undefined
      return outcome.type === 'EmailForwarded' ? countArrival(outcome, known) : waitAgain(outcome, known, answers)
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
