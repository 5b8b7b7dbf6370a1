import type { AnyRecordedEvent } from '../../events/catalogue.ts'
import type { RecordedEvent } from '../../events/definition.ts'
import type { emailForwarded, emailForwardFailed } from '../../events/email.ts'
import { leadFollowUpChanged } from '../../events/follow-up.ts'
import { holdsErasure, isUndoable } from '../../events/follow-up-history.ts'
import { leadStreams } from '../../events/lead.ts'
import { leadAnswerStreams } from '../../events/lead-answer.ts'
import { FAILED_ANSWERS } from '../../events/log/acting-consumers.ts'
import { answeredId } from '../../events/log/answer-changes.ts'
import type { Sql } from '../../events/log/connection.ts'
import { deterministicUuid } from '../../events/log/event-id.ts'
import { handle } from '../../events/log/handle.ts'
import { type KnownLead, mergeGuards, readFamily } from '../../events/log/lead-family.ts'
import { familyIds } from '../../events/projections/family-ids.ts'
import { isFinalFailure, readAnswers } from '../../events/projections/given-answers.ts'
import { type Reacting, reactToLog } from './reactions.ts'

type Outcome = RecordedEvent<typeof emailForwarded> | RecordedEvent<typeof emailForwardFailed>

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
  return { known: family.get(stayingId), stayingId, answers, guards: [...mergeGuards(family), ...answers.guards] }
}

/** Has a lead wait again whose answer reached nobody, or no more, once that was sent again and arrived. */
const settle = ({ sql, log }: Reacting, to: string, outcome: Outcome) =>
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

/** The lead to whose person each of these emails went, by the stream of its answers. */
const leadsAnswered = (outcomes: readonly Outcome[]) =>
  new Map(
    outcomes.flatMap(({ stream }) => {
      const leadId = leadAnswerStreams.idOf(stream)
      return leadId === undefined ? [] : [[stream, leadId] as const]
    }),
  )

/**
 * Reads the next part of the log. A lead whose answer by email was refused, or expired, waits again, as nobody has reached
 * its person; once the email is sent again and arrives, it does so no more. To do it twice changes nothing. Answers whether
 * there may be more.
 */
export const settleAnswers = (reacting: Reacting, now = new Date()): Promise<boolean> =>
  reactToLog(
    reacting,
    {
      consumer: FAILED_ANSWERS,
      concerns: isCertain,
      leadsOf: leadsAnswered,
      react: (leadId, outcome) => settle(reacting, leadId, outcome),
    },
    now,
  )
