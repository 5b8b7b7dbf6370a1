import type { RecordedEvent } from '../../events/base/definition.ts'
import type { AnyRecordedEvent } from '../../events/catalogue.ts'
import { chatActivityStreams } from '../../events/chat/activity.ts'
import { type chatMessagePosted, messageStreams, sessionIdOf } from '../../events/chat/chat.ts'
import { CHAT_ANSWERS } from '../../events/consumers/acting-consumers.ts'
import { isUnanswered } from '../../events/lead/email/alert.ts'
import { holdsErasure, leadStreams } from '../../events/lead/lead.ts'
import { answeredInChat, answersByItself } from '../../events/lead/store/chat-replies.ts'
import { type KnownLead, mergeGuards, readFamily } from '../../events/lead/store/family.ts'
import { handle } from '../../events/log/handle.ts'
import { readStreams } from '../../events/log/read.ts'
import type { Sql } from '../../events/stores/connection.ts'
import { type Reacting, reactToLog } from '../leads/reactions.ts'

type Answer = RecordedEvent<typeof chatMessagePosted> & { data: { by: string } }

const isAnswer = (event: AnyRecordedEvent): event is Answer =>
  event.type === 'ChatMessagePosted' && event.data.senderType === 'admin' && event.data.by !== undefined

/** The leads that were made from the chats of these replies, by the stream of the chat's messages. */
const leadsMade = async (sql: Sql, answers: readonly Answer[]): Promise<Map<string, string>> => {
  const sessionIds = [...new Set(answers.map(({ stream }) => sessionIdOf(stream)))]
  if (sessionIds.length === 0) return new Map()
  const made = await readStreams(sql, sessionIds.map(chatActivityStreams.of), { types: ['ChatBecameLead'] })
  return new Map(made.map(({ stream, data }) => [messageStreams.of(sessionIdOf(stream)), data.leadId]))
}

/** The lead, or the remaining lead if it was merged into another. */
const stayingOf = (family: Map<string, KnownLead>, leadId: string): KnownLead | undefined => {
  const known = family.get(leadId)
  return known?.lead.mergedInto ? stayingOf(family, known.lead.mergedInto) : known
}

/**
 * Stops the clock of the lead that was made from the reply's chat, or of the remaining lead after a merge, if the reply
 * counts for it.
 */
const stopClock = ({ sql, log }: Reacting, made: string, { stream, position, data: { by }, recordedAt }: Answer) => {
  const sessionId = sessionIdOf(stream)
  return handle(log, {
    read: async () => {
      const family = await readFamily(sql, [made])
      const known = stayingOf(family, made)
      const guards = mergeGuards(family)
      return { known, stream: leadStreams.of(known?.lead.id ?? made), version: known?.lead.version ?? 0, guards }
    },
    decide: ({ known }) => {
      if (!known || !isUnanswered(known.lead) || holdsErasure(known.events)) return undefined
      if (!answersByItself({ sessionId, position }, known.events)) return undefined
      return answeredInChat(known.lead.id, { sessionId, by, at: recordedAt })
    },
    isOnce: true,
    readsGuards: true,
  })
}

/**
 * Reads the next part of the log, and stops the clocks of leads that staff reply to in the chat. Idempotent. Returns
 * whether there may be more.
 */
export const stopClocks = (reacting: Reacting, now = new Date()): Promise<boolean> =>
  reactToLog(
    reacting,
    {
      consumer: CHAT_ANSWERS,
      concerns: isAnswer,
      leadsOf: (answers) => leadsMade(reacting.sql, answers),
      react: (leadId, answer) => stopClock(reacting, leadId, answer),
    },
    now,
  )
