/**
 * A chat session is a stream, and a message's `sequence` is its version there. A client comes back with the last number
 * that it has, and gets what it missed, once and in order, from any node. Each node has one reader of the log, which
 * finds what Redis has lost (room/log-follower.ts). While Redis is away it looks twice a second, and costs only what is new,
 * however many chats there are. What was missed goes out a page at a time, as the client takes it.
 *
 * A link to a chat works for 30 days after its last message, or until staff revoke it. That closes the pages that came
 * by a link, and leaves the chat to the device that began it. A page that is in another chat asks first, and nothing
 * unsent goes along. The visitor's browser keeps a chat as long as it goes on, for later tabs too, and forgets it when
 * asked.
 */

import { randomUUID } from 'node:crypto'
import type { RecordedEvent } from '../../../events/base/definition.ts'
import { DAY_MS } from '../../../events/base/time.ts'
import type { AnyRecordedEvent } from '../../../events/catalogue.ts'
import {
  type ChatMessage,
  type ChatSession,
  type ChatSessionEvent,
  chatMessagePosted,
  chatStarted,
  chatStreams,
  evolveChatSession,
  messageStreams,
  OPEN_CHAT_VERSION,
  RESUME_DAYS,
} from '../../../events/chat/chat.ts'
import type { ChatFile } from '../../../events/chat/file.ts'
import { chatEmailStreams, MAX_GIVEN_EMAILS } from '../../../events/chat/given-email.ts'
import { chatLinksStreams } from '../../../events/chat/links.ts'
import { evolveSession, isSessionEvent, type SessionEvent } from '../../../events/chat/summary.ts'
import { deterministicUuid } from '../../../events/log/event-id.ts'
import { handle } from '../../../events/log/handle.ts'
import { readParts, readStreams } from '../../../events/log/read.ts'
import type { ApiNode } from '../../node/node.ts'

type Visitor = {
  visitorName: string
  visitorEmail: string | null
  pageUrl: string | null
  userAgent: string | null
  greeting?: string
}

type Post = Pick<ChatMessage, 'senderType' | 'senderName' | 'message'> & {
  clientMessageId: string | undefined
  file: ChatFile | undefined
  /** The staff member who writes; undefined for the visitor. */
  by: string | undefined
}

/** A chat begins once and ends once, and takes some addresses. */
const SESSION_EVENTS_READ = 2 + MAX_GIVEN_EMAILS

/** The id of the session that a `joinKey` begins: nobody finds the key by it. */
export const sessionIdFor = (joinKey: string) => deterministicUuid('session', joinKey)

/** Starts a session, once for a `joinKey` however often it is asked for; `isNew` says whether this call started it. */
export const startSession = async (
  node: Pick<ApiNode, 'sql' | 'log'>,
  visitor: Visitor,
  joinKey: string = randomUUID(),
): Promise<{ session: ChatSession; isNew: boolean; event: ChatSessionEvent | undefined }> => {
  const sessionId = sessionIdFor(joinKey)
  const id = deterministicUuid('session started', joinKey)
  const { appended, isNew } = await handle(node.log, {
    read: () => ({ stream: chatStreams.of(sessionId), version: 0 }),
    decide: () => ({ id, ...chatStarted({}, { subjectId: sessionId, personal: visitor }) }),
    // asked for again, from another page perhaps
    isOnce: true,
  })
  const session = isNew && appended ? evolveChatSession(undefined, appended) : await readSession(node, sessionId)
  if (!session) throw new Error('The log has no ChatStarted of a chat that began')
  return { session, isNew, event: appended }
}

/**
 * Stores a message, once for a clientMessageId however often it is sent. Throws a LogError `guard_failed` where there is
 * no such chat (its stream is at version 0) or it has ended.
 */
export const postMessage = async (
  { log }: Pick<ApiNode, 'log'>,
  sessionId: string,
  post: Post,
): Promise<RecordedEvent<typeof chatMessagePosted>> => {
  const { senderType, senderName, message, clientMessageId, file, by } = post
  // senders of the same type are told apart, so that their clientMessageIds cannot collide
  const sender = by ?? 'visitor'
  const id =
    clientMessageId === undefined ? randomUUID() : deterministicUuid('message', sessionId, sender, clientMessageId)
  const about = {
    subjectId: sessionId,
    personal: { senderName, message, clientMessageId: clientMessageId ?? null, ...(file && { file }) },
  }
  const { appended } = await handle(log, {
    read: () => ({
      stream: messageStreams.of(sessionId),
      version: 'any',
      guards: [{ stream: chatStreams.of(sessionId), version: OPEN_CHAT_VERSION }],
    }),
    decide: () => ({ id, ...chatMessagePosted({ senderType, ...(by !== undefined && { by }) }, about) }),
  })
  if (!appended) throw new Error('The log stored no ChatMessagePosted')
  return appended
}

/** The session with this id, as the log has it, with the address that answers go to. */
export const readSession = async (
  { sql }: Pick<ApiNode, 'sql'>,
  sessionId: string,
): Promise<ChatSession | undefined> => {
  const streams = [chatStreams.of(sessionId), chatEmailStreams.of(sessionId)]
  const events = await readStreams<SessionEvent>(sql, streams, { limit: SESSION_EVENTS_READ })
  return events.reduce<ChatSession | undefined>(evolveSession, undefined)
}

/** How a chat is found by somebody who comes back to it; `session` is undefined where there is none. */
type Standing = {
  session: ChatSession | undefined
  /** The generation of the links that lead to it. */
  generation: number
  /** Whether nobody has written in it for so long that its links lead nowhere any more. */
  isOver: boolean
}

/** The state of a chat, in one query. */
export const readStanding = async ({ sql }: Pick<ApiNode, 'sql'>, sessionId: string): Promise<Standing> => {
  const links = chatLinksStreams.of(sessionId)
  const events = await readParts<AnyRecordedEvent>(
    sql,
    [
      { stream: chatStreams.of(sessionId), limit: 2 },
      { stream: chatEmailStreams.of(sessionId), limit: MAX_GIVEN_EMAILS },
      { stream: messageStreams.of(sessionId), limit: 1 },
      { stream: links, limit: 1 },
    ],
    'newest',
  )
  const ofType = (...types: string[]) => events.filter(({ type }) => types.includes(type))
  const newest = ofType('ChatMessagePosted').at(-1) ?? ofType('ChatStarted', 'ChatEnded').at(-1)
  return {
    session: events.filter(isSessionEvent).reduce<ChatSession | undefined>(evolveSession, undefined),
    generation: events.find(({ stream }) => stream === links)?.version ?? 0,
    isOver: newest !== undefined && Date.now() - newest.recordedAt.getTime() > RESUME_DAYS * DAY_MS,
  }
}
