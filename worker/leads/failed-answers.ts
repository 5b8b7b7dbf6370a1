import type { RecordedEvent } from '../../events/base/definition.ts'
import type { AnyRecordedEvent } from '../../events/catalogue.ts'
import type { emailForwarded, emailForwardFailed } from '../../events/email/email.ts'
import { isFinalFailure, leadAnswerStreams } from '../../events/lead/answer.ts'
import { leadAnswerFailed, leadAnswerRestored } from '../../events/lead/answered.ts'
import { holdsErasure } from '../../events/lead/follow-up-history.ts'
import { type LeadEvent, leadStreams } from '../../events/lead/lead.ts'
import { answeredId, outcomeId } from '../../events/lead/store/answer-ids.ts'
import { orAnsweredByReply, readRepliesToLeads } from '../../events/lead/store/chat-replies.ts'
import { mergeGuards, readFamily } from '../../events/lead/store/family.ts'
import { familyIds } from '../../events/lead/store/family-ids.ts'
import { FAILED_ANSWERS } from '../../events/log/acting-consumers.ts'
import { handle } from '../../events/log/handle.ts'
import { readEvent } from '../../events/log/read.ts'
import { type Reacting, reactToLog } from './reactions.ts'

type Outcome = RecordedEvent<typeof emailForwarded> | RecordedEvent<typeof emailForwardFailed>

/** Whether an event says that an email reached its recipient, or that it reached nobody and is not tried again by itself. */
const isCertain = (event: AnyRecordedEvent): event is AnyRecordedEvent & Outcome =>
  (event.type === 'EmailForwarded' && event.data.to !== 'outbox') ||
  (event.type === 'EmailForwardFailed' && isFinalFailure(event))

/** The event that an outcome adds to a lead; undefined if it is as the lead has it already. */
const changeBy = (outcome: Outcome, events: readonly LeadEvent[]) => {
  const answerId = outcome.data.forwardId
  const last = events.findLast(({ data }) => 'answerId' in data && data.answerId === answerId)
  const hasFailed = last?.type === 'LeadAnswerFailed'
  if (outcome.type === 'EmailForwardFailed') return hasFailed ? undefined : leadAnswerFailed({ answerId })
  return hasFailed ? leadAnswerRestored({ answerId, at: outcome.recordedAt.toISOString() }) : undefined
}

/** Says of a lead's answer by email that it failed, or that it arrived after all. A merged or erased lead stays as it is. */
const settle = async ({ sql, log }: Reacting, outcome: Outcome) => {
  const answered = await readEvent(sql, answeredId(outcome.data.forwardId))
  const leadId = answered && leadStreams.idOf(answered.stream)
  if (leadId === undefined) return
  await handle(log, {
    read: async () => {
      const { replies, guards } = await readRepliesToLeads(sql, await familyIds(sql, leadId))
      const family = await readFamily(sql, [leadId])
      const known = family.get(leadId)
      return {
        known,
        replies,
        stream: leadStreams.of(leadId),
        version: known?.own.version ?? 0,
        guards: [...mergeGuards(family), ...guards],
      }
    },
    decide: ({ known, replies }) => {
      if (!known || known.merge || holdsErasure(known.events)) return undefined
      const change = changeBy(outcome, known.events)
      return change && orAnsweredByReply(known, { id: outcomeId(outcome.id), ...change }, replies)
    },
    isOnce: true,
    readsGuards: true,
  })
}

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
 * its person, until the email is sent again and arrives. To do it twice changes nothing. Returns whether there may be more.
 */
export const settleAnswers = (reacting: Reacting, now = new Date()): Promise<boolean> =>
  reactToLog(
    reacting,
    {
      consumer: FAILED_ANSWERS,
      concerns: isCertain,
      leadsOf: leadsAnswered,
      react: (_, outcome) => settle(reacting, outcome),
    },
    now,
  )
