/**
 * A chat session is a stream, and a message's `sequence` is its version there. A client reconnects with its last
 * number, and gets the messages that it missed, once and in order, from any node. Each node reads the log once, to find
 * what Redis has lost (room/lost-events.ts). While Redis is unavailable it reads twice a second, at the cost of the
 * new events only, however many chats there are. Missed messages are sent a page at a time, as the client takes them.
 *
 * A link to a chat works for 30 days after its last message, or until staff revoke it. Revoking closes the pages that
 * came by a link, and leaves the chat to the device that began it. A page that is in another chat asks first, and takes
 * no unsent text along. The visitor's browser stores a chat until a day after its end, also for later tabs, and removes it
 * on request.
 */

import { randomUUID } from 'node:crypto'
import { DAY_MS } from '../../../events/base/time.ts'
import type { AnyRecordedEvent } from '../../../events/catalogue.ts'
import {
  type ChatSession,
  type ChatSessionEvent,
  chatStarted,
  chatStreams,
  evolveChatSession,
  messageStreams,
  RESUME_DAYS,
} from '../../../events/chat/chat.ts'
import { chatEmailStreams, MAX_GIVEN_EMAILS } from '../../../events/chat/given-email.ts'
import { chatLinksStreams } from '../../../events/chat/links.ts'
import { evolveSession, isSessionEvent, type SessionEvent } from '../../../events/chat/progress.ts'
import { deterministicUuid } from '../../../events/log/event-id.ts'
import { handle } from '../../../events/log/handle.ts'
import { readParts, readStreams } from '../../../events/log/read.ts'
import type { ApiNode } from '../../node/node.ts'

type Visitor = {
  visitorName: string
  visitorEmail: string | null
  visitorPhone?: string
  pageUrl: string | null
  userAgent: string | null
  greeting?: string
}

/** A chat begins once, ends once, and takes some addresses. */
const SESSION_EVENTS_READ = 2 + MAX_GIVEN_EMAILS

/** The id of the session that a `joinKey` begins; the key cannot be found by it. */
export const sessionIdFor = (joinKey: string) => deterministicUuid('session', joinKey)

/** Starts a session, once for a `joinKey` however often it is requested; `isNew` is whether this call started it. */
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
    // requested again, perhaps from another page
    isOnce: true,
  })
  const session = isNew && appended ? evolveChatSession(undefined, appended) : await readSession(node, sessionId)
  if (!session) throw new Error('The log has no ChatStarted of a chat that began')
  return { session, isNew, event: appended }
}

/** The session with this id, read from the log, with the address to which replies go. */
export const readSession = async (
  { sql }: Pick<ApiNode, 'sql'>,
  sessionId: string,
): Promise<ChatSession | undefined> => {
  const streams = [chatStreams.of(sessionId), chatEmailStreams.of(sessionId)]
  const events = await readStreams<SessionEvent>(sql, streams, { limit: SESSION_EVENTS_READ })
  return events.reduce<ChatSession | undefined>(evolveSession, undefined)
}

/** The state of a chat for a visitor who returns to it; `session` is undefined if there is none. */
type ResumeState = {
  session: ChatSession | undefined
  /** The generation of the links that lead to it. */
  generation: number
  /** Whether its last message is so old that its links are no longer valid. */
  isOver: boolean
}

/** The state of a chat, in one query. */
export const readResumeState = async ({ sql }: Pick<ApiNode, 'sql'>, sessionId: string): Promise<ResumeState> => {
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
