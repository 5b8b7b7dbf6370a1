import type { AnyRecordedEvent } from '../../events/catalogue.ts'
import { type chatMessagePosted, sessionIdOf } from '../../events/chat.ts'
import { chatActivityStreams } from '../../events/chat-activity.ts'
import type { RecordedEvent } from '../../events/definition.ts'
import { holdsErasure } from '../../events/follow-up-history.ts'
import { leadStreams } from '../../events/lead.ts'
import { isUnanswered } from '../../events/lead-alert.ts'
import { mergeStreams } from '../../events/lead-merge.ts'
import { changesByAnswer, chatAnswerId, countsAsAnswer } from '../../events/log/answer-changes.ts'
import type { Appender } from '../../events/log/append.ts'
import {
  advanceActingConsumer,
  assertSameHistory,
  prepareActingConsumer,
  readCheckpoint,
} from '../../events/log/checkpoints.ts'
import type { Sql } from '../../events/log/connection.ts'
import { contextCausedBy, runWith } from '../../events/log/context.ts'
import { handle } from '../../events/log/handle.ts'
import { type KnownLead, readFamily } from '../../events/log/lead-family.ts'
import { readDeclared, readStreams } from '../../events/log/read.ts'
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

/** The lead that was made of each of the chats of these answers, by the chat's id. */
const leadsMade = async (sql: Sql, answers: Answer[]): Promise<Map<string, string>> => {
  const sessionIds = [...new Set(answers.map(({ stream }) => sessionIdOf(stream)))]
  if (sessionIds.length === 0) return new Map()
  const made = await readStreams(sql, sessionIds.map(chatActivityStreams.of), { types: ['ChatBecameLead'] })
  return new Map(made.map(({ stream, data }) => [sessionIdOf(stream), data.leadId]))
}

/** A lead, or the one that stays where it was merged into another. */
const stayingOf = (family: Map<string, KnownLead>, leadId: string): KnownLead | undefined => {
  const known = family.get(leadId)
  return known?.lead.mergedInto ? stayingOf(family, known.lead.mergedInto) : known
}

/** Stops the clock of the lead that was made of an answer's chat, or of the one that stays, if the answer counts for it. */
const stopClock = ({ sql, log }: Stopping, made: string, { stream, position, data: { by }, recordedAt }: Answer) => {
  const sessionId = sessionIdOf(stream)
  const chat = { sessionId, answeredAt: recordedAt.toISOString() }
  return handle(log, {
    read: async () => {
      const family = await readFamily(sql, [made])
      const known = stayingOf(family, made)
      const guards = [...family].map(([id, { mergeVersion }]) => ({
        stream: mergeStreams.of(id),
        version: mergeVersion,
      }))
      return { known, stream: leadStreams.of(known?.lead.id ?? made), version: known?.lead.version ?? 0, guards }
    },
    decide: ({ known }) => {
      if (!known || !isUnanswered(known.lead) || holdsErasure(known.events)) return undefined
      if (!countsAsAnswer({ sessionId, position }, known.events)) return undefined
      const answerId = chatAnswerId(known.lead.id, sessionId)
      const [change, ...others] = changesByAnswer(known.lead, { answerId, by, chat })
      return change && [change, ...others]
    },
    isOnce: true,
    readsGuards: true,
  })
}

/**
 * Reads the next part of the log, and stops the clocks of the leads that staff answer in the chat
 * (events/log/answer-changes.ts). To do it twice changes nothing. A lead that cannot be read, as its data key is lost, holds
 * up nothing. Returns whether there may be more.
 */
export const stopClocks = async (stopping: Stopping, now = new Date()): Promise<boolean> => {
  const { sql, passOver } = stopping
  const checkpoint = await readCheckpoint(sql, CHAT_ANSWERS)
  if (!checkpoint) throw new Error('The answers in chats have no checkpoint')
  assertSameHistory(CHAT_ANSWERS, checkpoint)
  const { events, position, hasMore } = await readDeclared(sql, checkpoint.position, BATCH_EVENTS, {
    types: ['ChatMessagePosted'],
    opened: [],
  })
  const since = now.getTime() - LOOKED_AT_FOR_MS
  const answers = events.filter(isAnswer).filter(({ recordedAt }) => recordedAt.getTime() >= since)
  const made = await leadsMade(sql, answers)
  for (const answer of answers) {
    const leadId = made.get(sessionIdOf(answer.stream))
    if (leadId === undefined) continue
    await runWith(contextCausedBy(answer, CHAT_ANSWERS.name), () => stopClock(stopping, leadId, answer)).catch(
      (error) => passOver({ leadId }, error),
    )
  }
  if (position > checkpoint.position) await advanceActingConsumer(sql, CHAT_ANSWERS, { from: checkpoint, to: position })
  return hasMore
}
