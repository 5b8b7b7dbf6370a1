import type { AnyRecordedEvent } from '../../events/catalogue.ts'
import { type ChatSession, type chatMessagePosted, chatStreams, sessionIdOf } from '../../events/chat.ts'
import { chatActivityStreams } from '../../events/chat-activity.ts'
import { chatEmailStreams } from '../../events/chat-email.ts'
import { evolveSession } from '../../events/chat-summary.ts'
import type { RecordedEvent } from '../../events/definition.ts'
import { leadStreams } from '../../events/lead.ts'
import { isUnanswered } from '../../events/lead-alert.ts'
import { mergeStreams } from '../../events/lead-merge.ts'
import { changesByAnswer, chatAnswerId } from '../../events/log/answer-changes.ts'
import type { Appender } from '../../events/log/append.ts'
import {
  advanceActingConsumer,
  assertSameHistory,
  prepareActingConsumer,
  readCheckpoint,
  readPosition,
} from '../../events/log/checkpoints.ts'
import type { Sql } from '../../events/log/connection.ts'
import { contextCausedBy, runWith } from '../../events/log/context.ts'
import { handle } from '../../events/log/handle.ts'
import { readFamily } from '../../events/log/lead-family.ts'
import { readDeclared, readStreams } from '../../events/log/read.ts'
import { leadsProjection } from '../../events/projections/leads.ts'
import { findWaitingLeads } from '../../events/projections/people.ts'
import { CHAT_ANSWERS } from '../../events/projections/readers.ts'
import type { PassOver } from '../pass-over.ts'

const BATCH_EVENTS = 500

/** What was said longer ago is looked at no more: where this rule is new, no old lead changes under its owner. */
const LOOKED_AT_FOR_MS = 7 * 24 * 60 * 60 * 1000

type Stopping = { sql: Sql; log: Pick<Appender, 'append'>; passOver: PassOver }
type Answer = RecordedEvent<typeof chatMessagePosted> & { data: { by: string } }

/** Makes the checkpoint of chats' answers where there is none. */
export const prepareChatAnswers = (sql: Sql): Promise<void> => prepareActingConsumer(sql, CHAT_ANSWERS)

const isAnswer = (event: AnyRecordedEvent): event is Answer =>
  event.type === 'ChatMessagePosted' && event.data.senderType === 'admin' && event.data.by !== undefined

/** The leads whom an answer in a chat is for: the one made of it, and those with the address that its author saw. */
const leadsOf = async (sql: Sql, { stream, position }: Answer): Promise<string[]> => {
  const sessionId = sessionIdOf(stream)
  const [begun, given, made] = await Promise.all([
    readStreams(sql, [chatStreams.of(sessionId)]),
    readStreams(sql, [chatEmailStreams.of(sessionId)]),
    readStreams(sql, [chatActivityStreams.of(sessionId)], { types: ['ChatBecameLead'] }),
  ])
  const session = [...begun, ...given]
    .filter((event) => event.position < position)
    .reduce<ChatSession | undefined>(evolveSession, undefined)
  const addressed = await findWaitingLeads(sql, { email: session?.visitorEmail ?? null, before: position })
  return [...new Set([...made.map(({ data }) => data.leadId), ...addressed])]
}

/** Stops the clock of one lead, if it is still to be answered, and was not answered by this chat before. */
const stopClock = ({ sql, log }: Stopping, leadId: string, { stream: messages, data: { by }, recordedAt }: Answer) => {
  const sessionId = sessionIdOf(messages)
  const answerId = chatAnswerId(leadId, sessionId)
  const chat = { sessionId, answeredAt: recordedAt.toISOString() }
  return handle(log, {
    read: async () => {
      const known = (await readFamily(sql, [leadId])).get(leadId)
      const guards = known ? [{ stream: mergeStreams.of(leadId), version: known.mergeVersion }] : []
      return { known, stream: leadStreams.of(leadId), version: known?.lead.version ?? 0, guards }
    },
    decide: ({ known }) => {
      if (!known || !isUnanswered(known.lead) || known.lead.mergedInto) return undefined
      if (
        known.events.some(({ type, data }) => type === 'LeadErased' || ('inChat' in data && data.inChat === sessionId))
      )
        return undefined
      const [change, ...others] = changesByAnswer(known.lead, { answerId, by, chat })
      return change && [change, ...others]
    },
    isOnce: true,
    readsGuards: true,
  })
}

/** Stops the clocks of all leads whom an answer is for. What cannot be read, as its data key is lost, holds up nothing. */
const stopFor = async (stopping: Stopping, answer: Answer) => {
  const { sql, passOver } = stopping
  const leadIds = await leadsOf(sql, answer).catch((error) => {
    passOver({ sessionId: sessionIdOf(answer.stream) }, error)
    return []
  })
  await runWith(contextCausedBy(answer, CHAT_ANSWERS.name), async () => {
    for (const leadId of leadIds) {
      await stopClock(stopping, leadId, answer).catch((error) => passOver({ leadId }, error))
    }
  })
}

/**
 * Reads the next part of the log, and stops the clocks of the leads that staff answer in the chat
 * (events/log/answer-changes.ts). It stays behind the view of leads, by which it finds them. To do it twice changes nothing.
 * Returns whether there may be more.
 */
export const stopClocks = async (stopping: Stopping, now = new Date()): Promise<boolean> => {
  const { sql } = stopping
  const checkpoint = await readCheckpoint(sql, CHAT_ANSWERS)
  if (!checkpoint) throw new Error('The answers in chats have no checkpoint')
  assertSameHistory(CHAT_ANSWERS, checkpoint)
  const limit = Math.min(BATCH_EVENTS, (await readPosition(sql, leadsProjection)) - checkpoint.position)
  if (limit <= 0) return false
  const { events, position, hasMore } = await readDeclared(sql, checkpoint.position, limit, {
    types: ['ChatMessagePosted'],
    opened: [],
  })
  const since = now.getTime() - LOOKED_AT_FOR_MS
  for (const answer of events.filter(isAnswer)) {
    if (answer.recordedAt.getTime() >= since) await stopFor(stopping, answer)
  }
  if (position > checkpoint.position) await advanceActingConsumer(sql, CHAT_ANSWERS, { from: checkpoint, to: position })
  return hasMore
}
