import * as v from 'valibot'
import { type AnyRecordedEvent, catalogue } from '../../catalogue.ts'
import type { Bus } from '../../stores/redis/bus.ts'
import type { Receipt, ViewedPage } from '../activity.ts'
import { type ChatMessage, sessionIdOf } from '../chat.ts'
import type { Party } from '../parties.ts'

/** The types of events that change a chat for the people in it. */
const LIVE_EVENTS = [
  'ChatStarted',
  'ChatMessagePosted',
  'ChatEmailGiven',
  'ChatAssigned',
  'ChatRated',
  'ChatEnded',
  'ChatErased',
  'ChatLinksRevoked',
] as const

type WithoutMetadata<Event> = Event extends unknown ? Omit<Event, 'metadata'> : never

/** An event of a chat as nodes send it to one another, and as they read it from the log. */
export type LiveChatEvent = WithoutMetadata<Extract<AnyRecordedEvent, { type: (typeof LIVE_EVENTS)[number] }>>

/**
 * A notification that is not an event of the log: receipts and pages have tables of their own, typing is not stored at
 * all.
 */
export type ChatSignal = { sessionId: string } & (
  | ({ kind: 'receipt'; party: Party } & Receipt)
  | ({ kind: 'page' } & ViewedPage)
  | { kind: 'typing'; senderType: ChatMessage['senderType']; isTyping: boolean }
)

/** The notifications about chats between nodes. */
export type ChatNotification = LiveChatEvent | ChatSignal

/** The fields that are sent: the `metadata` of a recorded event are for the log alone. */
const published = (event: LiveChatEvent) => ({
  position: event.position,
  id: event.id,
  stream: event.stream,
  version: event.version,
  type: event.type,
  schemaVersion: event.schemaVersion,
  subjectId: event.subjectId,
  data: event.data,
  personal: event.personal,
  recordedAt: event.recordedAt.toISOString(),
})

type Published = ReturnType<typeof published>

const text = v.string()

const signal = v.variant('kind', [
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

const LIVE: ReadonlySet<unknown> = new Set(LIVE_EVENTS)

export const isLive = (type: unknown): type is LiveChatEvent['type'] => LIVE.has(type)

/**
 * Whether these are the fields of an event as `publishNotification` sends it. Checked without a schema, because every
 * message passes here.
 */
const isEvent = ({ type, schemaVersion, stream, version, position, data, personal, recordedAt }: Partial<Published>) =>
  isLive(type) &&
  catalogue.get(type)?.schemaVersion === schemaVersion &&
  typeof stream === 'string' &&
  typeof version === 'number' &&
  typeof position === 'number' &&
  typeof data === 'object' &&
  typeof personal === 'object' &&
  typeof recordedAt === 'string'

/**
 * Reads a message of the bus; undefined for anything but a notification that this version understands. An event in another
 * schema version is found in the log.
 */
export const parseNotification = (message: string): ChatNotification | undefined => {
  try {
    const notification = JSON.parse(message.slice(message.indexOf(' ')))
    if ('kind' in notification) return v.is(signal, notification) ? (notification as ChatSignal) : undefined
    if (!isEvent(notification)) return undefined
    notification.recordedAt = new Date(notification.recordedAt)
    return notification
  } catch {
    return undefined
  }
}

/** The channel of one session, for nodes on which its visitor is connected. */
export const sessionChannel = (sessionId: string) => `chat:${sessionId}`

/**
 * The channels of all sessions, for nodes with staff connected: a message published once reaches them too, and costs
 * nothing if there are none. The hyphen is that of a UUID: the channels of other chat subjects have none.
 */
export const ALL_SESSIONS = 'chat:*-*'

/**
 * Sends a notification to the nodes that have a participant. `from` marks it as one of a node that has shown it to its
 * own participants. Returns false if Redis could not be reached.
 */
export const publishNotification = (bus: Bus, notification: ChatNotification, from = ''): Promise<boolean> => {
  const [sessionId, sent] =
    'kind' in notification
      ? [notification.sessionId, notification]
      : [sessionIdOf(notification.stream), published(notification)]
  return bus.publish(sessionChannel(sessionId), `${from} ${JSON.stringify(sent)}`, ALL_SESSIONS)
}

/** Whether a message of the bus has this mark. Nodes get their own messages too, and need not read them. */
export const isFrom = (mark: string, message: string): boolean => message.startsWith(mark)
