import * as v from 'valibot'
import type { ChatMessage, ChatSession } from '../chat.ts'
import type { Party, Receipt, ViewedPage } from '../chat-activity.ts'
import type { Bus } from './bus.ts'

/** What nodes tell one another about chats over the bus. All but `typing` is in Postgres too, and can be read there. */
export type ChatNotification =
  | { kind: 'started'; session: ChatSession }
  | { kind: 'posted'; message: ChatMessage }
  | { kind: 'ended'; sessionId: string }
  | { kind: 'erased'; sessionId: string }
  | { kind: 'links_revoked'; sessionId: string }
  | { kind: 'email_given'; sessionId: string }
  | { kind: 'rated'; sessionId: string }
  | { kind: 'assigned'; sessionId: string; version: number }
  | ({ kind: 'receipt'; sessionId: string; party: Party } & Receipt)
  | ({ kind: 'page'; sessionId: string } & ViewedPage)
  | { kind: 'typing'; sessionId: string; senderType: ChatMessage['senderType']; isTyping: boolean }

const text = v.string()

/** As much of the news as the rooms rely on to find their way; the rest comes from our own nodes. */
const notificationShape = v.variant('kind', [
  v.looseObject({ kind: v.literal('started'), session: v.looseObject({ sessionId: text }) }),
  v.looseObject({ kind: v.literal('posted'), message: v.looseObject({ sessionId: text, sequence: v.number() }) }),
  v.looseObject({ kind: v.literal('ended'), sessionId: text }),
  v.looseObject({ kind: v.literal('erased'), sessionId: text }),
  v.looseObject({ kind: v.literal('links_revoked'), sessionId: text }),
  v.looseObject({ kind: v.literal('email_given'), sessionId: text }),
  v.looseObject({ kind: v.literal('rated'), sessionId: text }),
  v.looseObject({ kind: v.literal('assigned'), sessionId: text, version: v.number() }),
  v.looseObject({ kind: v.literal('typing'), sessionId: text }),
  v.looseObject({
    kind: v.literal('receipt'),
    sessionId: text,
    party: v.picklist(['visitor', 'admin']),
    delivered: v.number(),
    seen: v.number(),
  }),
  v.looseObject({ kind: v.literal('page'), sessionId: text, version: v.number() }),
])

/** Reads what came over the bus; undefined where it is no news of ours. */
export const parseNotification = (message: string): ChatNotification | undefined => {
  try {
    const news: unknown = JSON.parse(message)
    return v.is(notificationShape, news) ? (news as ChatNotification) : undefined
  } catch {
    return undefined
  }
}

/** The channel of one session, for nodes on which its visitor is connected. */
export const sessionChannel = (sessionId: string) => `chat:${sessionId}`

/**
 * The channels of all sessions, for nodes on which staff are connected: what is published once reaches them too, and
 * costs nothing where there are none. The hyphen is that of a UUID: the channels of other chat matters have none.
 */
export const ALL_SESSIONS = 'chat:*-*'

const sessionOf = (news: ChatNotification) => {
  switch (news.kind) {
    case 'started':
      return news.session.sessionId
    case 'posted':
      return news.message.sessionId
    case 'ended':
    case 'erased':
    case 'links_revoked':
    case 'email_given':
    case 'assigned':
    case 'rated':
    case 'typing':
    case 'receipt':
    case 'page':
      return news.sessionId
    default:
      return news satisfies never
  }
}

/** Tells the nodes that have a participant. Answers false where Redis could not be reached. */
export const publishNotification = (bus: Bus, news: ChatNotification): Promise<boolean> =>
  bus.publish(sessionChannel(sessionOf(news)), JSON.stringify(news), ALL_SESSIONS)
