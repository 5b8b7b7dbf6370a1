import type { RecordedEvent } from '../../events/base/definition.ts'
import type { AnyRecordedEvent } from '../../events/catalogue.ts'
import { FAILED_ANSWERS } from '../../events/consumers/acting-consumers.ts'
import type { emailFailed, emailSent } from '../../events/email/email.ts'
import { leadAnswerFailed, leadAnswerRestored } from '../../events/lead/follow-up/answered.ts'
import { holdsErasure, type LeadEvent, leadStreams } from '../../events/lead/lead.ts'
import { isFinalFailure, leadAnswerStreams } from '../../events/lead/reply/answer.ts'
import { answeredId, outcomeId } from '../../events/lead/store/answer-ids.ts'
import { orAnsweredByReply, readRepliesToLeads } from '../../events/lead/store/chat-replies.ts'
import { mergeGuards, readFamily } from '../../events/lead/store/family.ts'
import { familyIds } from '../../events/lead/store/family-ids.ts'
import { handle } from '../../events/log/handle.ts'
import { readEvent } from '../../events/log/read.ts'
import { type Reacting, reactToLog } from './reactions.ts'

type Outcome = RecordedEvent<typeof emailSent> | RecordedEvent<typeof emailFailed>

/**
 * Whether an event reports that an email reached its recipient, or that it reached no recipient and is not retried
 * automatically.
 */
const isCertain = (event: AnyRecordedEvent): event is AnyRecordedEvent & Outcome =>
  (event.type === 'EmailSent' && event.data.to !== 'outbox') || (event.type === 'EmailFailed' && isFinalFailure(event))

/** The event that an outcome adds to a lead; undefined if the lead has it already. */
const changeBy = (outcome: Outcome, events: readonly LeadEvent[]) => {
  const answerId = outcome.data.emailId
  const last = events.findLast(({ data }) => 'answerId' in data && data.answerId === answerId)
  const hasFailed = last?.type === 'LeadAnswerFailed'
  if (outcome.type === 'EmailFailed') return hasFailed ? undefined : leadAnswerFailed({ answerId })
  return hasFailed ? leadAnswerRestored({ answerId, at: outcome.recordedAt.toISOString() }) : undefined
}

/**
 * Records that a lead's reply by email failed, or that it arrived after all. A merged or erased lead stays as it is.
 */
const settle = async ({ sql, log }: Reacting, outcome: Outcome) => {
  const answered = await readEvent(sql, answeredId(outcome.data.emailId))
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

/** The lead that each of these emails replied to, by the stream of its replies. */
const leadsAnswered = (outcomes: readonly Outcome[]) =>
  new Map(
    outcomes.flatMap(({ stream }) => {
      const leadId = leadAnswerStreams.idOf(stream)
      return leadId === undefined ? [] : [[stream, leadId] as const]
    }),
  )

/**
 * Reads the next part of the log. A lead whose reply by email was refused, or expired, waits again, as its person has
 * not been reached, until the email is sent again and arrives. Idempotent. Returns whether there may be more.
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
