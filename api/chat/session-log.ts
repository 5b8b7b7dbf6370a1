import { randomUUID } from 'node:crypto'
import {
  type ChatMessage,
  type ChatSession,
  chatStream,
  evolveChatSession,
  messageStream,
  OPEN_CHAT_VERSION,
  sessionIdOf,
} from '../../events/chat.ts'
import { LogError } from '../../events/log/errors.ts'
import { idFromKey } from '../../events/log/event-id.ts'
import { readStream, readVersions } from '../../events/log/read.ts'
import type { ApiNode } from '../node.ts'

type Visitor = { visitorName: string; visitorEmail: string | null; pageUrl: string | null; userAgent: string | null }

type Post = Pick<ChatMessage, 'senderType' | 'senderName' | 'message'> & {
  clientMessageId: string | undefined
  /** The staff member who writes; undefined for the visitor. */
  by: string | undefined
}

/** How far a session's two streams have come. */
export type SessionState = { lastSequence: number; isEnded: boolean }

/** Starts a session, once for a `joinKey` however often it is asked for; `isNew` says whether this call started it. */
export const startSession = async (
  node: ApiNode,
  visitor: Visitor,
  joinKey: string = randomUUID(),
): Promise<{ session: ChatSession; isNew: boolean }> => {
  const sessionId = idFromKey('session', joinKey)
  const id = idFromKey('session started', joinKey)
  const event = { id, type: 'ChatStarted' as const, data: {}, subjectId: sessionId, personal: visitor }
  try {
    const stream = chatStream(sessionId)
    const { events, isKnown } = await node.log.append({ stream, expectedVersion: 0, events: [event] })
    const [stored] = events
    if (!stored) throw new Error('The log stored no ChatStarted')
    const startTime = stored.recordedAt.toISOString()
    const session = { sessionId, ...visitor, isActive: true, startTime, endTime: null }
    return { session, isNew: !isKnown }
  } catch (error) {
    // asked for again, from another page perhaps
    const isStarted = error instanceof LogError && error.code === 'event_id_reused'
    const session = isStarted ? await readSession(node, sessionId) : undefined
    if (!session) throw error
    return { session, isNew: false }
  }
}

/**
 * Stores a message, once for a clientMessageId however often it is sent. Throws a LogError `guard_failed` where there is
 * no such chat (its stream is at version 0) or it has ended.
 */
export const postMessage = async ({ log }: ApiNode, sessionId: string, post: Post): Promise<ChatMessage> => {
  const { senderType, senderName, message, clientMessageId, by } = post
  // senders of the same type are told apart, so that their clientMessageIds cannot collide
  const sender = by ?? 'visitor'
  const id = clientMessageId === undefined ? randomUUID() : idFromKey('message', sessionId, sender, clientMessageId)
  const { events } = await log.append({
    stream: messageStream(sessionId),
    expectedVersion: 'any',
    guards: [{ stream: chatStream(sessionId), version: OPEN_CHAT_VERSION }],
    events: [
      {
        id,
        type: 'ChatMessagePosted',
        data: { senderType, ...(by !== undefined && { by }) },
        subjectId: sessionId,
        personal: { senderName, message, clientMessageId: clientMessageId ?? null },
      },
    ],
  })
  const [stored] = events
  if (!stored) throw new Error('The log stored no ChatMessagePosted')
  return {
    id,
    sequence: stored.version,
    sessionId,
    ...(clientMessageId !== undefined && { clientMessageId }),
    senderType,
    senderName,
    message,
    timestamp: stored.recordedAt.toISOString(),
    ...(by !== undefined && { by }),
  }
}

/** Ends a session; one that has ended stays as it is. */
export const endSession = async ({ log }: ApiNode, sessionId: string, endedBy: ChatMessage['senderType']) => {
  const event = { id: randomUUID(), type: 'ChatEnded' as const, data: { endedBy }, subjectId: null, personal: null }
  try {
    await log.append({ stream: chatStream(sessionId), expectedVersion: OPEN_CHAT_VERSION, events: [event] })
  } catch (error) {
    const hasEnded =
      error instanceof LogError && error.code === 'wrong_version' && (error.currentVersion ?? 0) > OPEN_CHAT_VERSION
    if (!hasEnded) throw error
  }
}

/** The session with this id, as the log has it. */
export const readSession = async ({ sql }: ApiNode, sessionId: string): Promise<ChatSession | undefined> => {
  const events = await readStream(sql, chatStream(sessionId))
  return events.reduce<ChatSession | undefined>(evolveChatSession, undefined)
}

/** How far sessions have come in the log, in one query, by session id. */
export const readSessionStates = async (
  { sql }: Pick<ApiNode, 'sql'>,
  sessionIds: string[],
): Promise<Map<string, SessionState>> => {
  const streams = sessionIds.flatMap((id) => [chatStream(id), messageStream(id)])
  const versions = await readVersions(sql, streams)
  const states = new Map<string, SessionState>(sessionIds.map((id) => [id, { lastSequence: 0, isEnded: false }]))
  for (const [stream, version] of versions) {
    const id = sessionIdOf(stream)
    const state = states.get(id)
    if (!state) continue
    if (stream === messageStream(id)) state.lastSequence = version
    else state.isEnded = version > OPEN_CHAT_VERSION
  }
  return states
}
