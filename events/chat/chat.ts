import * as v from 'valibot'
import { defineEvent, defineStreams, type RecordedEvent } from '../base/definition.ts'
import { optionalText, requiredText } from '../base/text.ts'
import type { Sent } from '../base/word.ts'
import { chatFile } from './file.ts'
import { ENDERS, SENDERS } from './parties.ts'
import { visitorPhone } from './visitor-contact.ts'
import type * as wire from './wire.ts'

/** The longest chat message, in UTF-16 code units. */
export const MAX_MESSAGE_CHARACTERS = 4_000

/** How long after a chat's last message its visitor can come back to it. */
export const RESUME_DAYS = 30

/** How long after its end a chat stays on the device on which it began, and can be rated there. */
export const RATE_WITHIN_MS = 24 * 60 * 60 * 1000

/** The name that visitors see on staff's replies. */
export const SUPPORT_TEAM_NAME = 'Support Team'

const visitor = {
  visitorName: requiredText('Please enter your name to start chatting.', { max: 200 }),
  visitorEmail: optionalText(254),
  visitorPhone: v.exactOptional(visitorPhone),
  pageUrl: optionalText(2_000),
}

/**
 * The details a visitor gives to start a chat. The email address is optional and not validated; who gives a telephone
 * number instead has no `visitorEmail`.
 */
export const visitorJoin = v.object(visitor)

/**
 * `greeting` is the message next to the chat button that the visitor replied to, if any: it shows which page they were
 * on.
 */
export const chatStarted = defineEvent({
  type: 'ChatStarted',
  schemaVersion: 1,
  data: v.object({}),
  personal: v.object({ ...visitor, userAgent: optionalText(1_000), greeting: v.exactOptional(v.string()) }),
})

export const chatEnded = defineEvent({
  type: 'ChatEnded',
  schemaVersion: 1,
  data: v.object({ endedBy: v.picklist(ENDERS) }),
  personal: null,
})

const by = v.exactOptional(v.pipe(v.string(), v.uuid()))
const messageFields = { senderName: v.string(), message: v.string() }
const clientMessageId = v.nullable(v.string())

/** Version 1 stored `clientMessageId`, which a visitor's script chooses, in `data`. */
const chatMessagePostedV1 = {
  schemaVersion: 1,
  data: v.object({ senderType: v.picklist(SENDERS), clientMessageId, by }),
  personal: v.object(messageFields),
}

/**
 * `by` is the staff member who wrote a reply. A message with a `file` also has a text for it (`fileInWords`), which
 * emails and outlines show.
 */
export const chatMessagePosted = defineEvent({
  type: 'ChatMessagePosted',
  schemaVersion: 2,
  data: v.object({ senderType: v.picklist(SENDERS), by }),
  personal: v.object({ ...messageFields, clientMessageId, file: v.exactOptional(chatFile) }),
  earlier: [
    {
      ...chatMessagePostedV1,
      upcast: ({ data, personal }) => {
        const { clientMessageId: key, ...rest } = data as v.InferOutput<typeof chatMessagePostedV1.data>
        return { data: rest, personal: personal && { ...personal, clientMessageId: key } }
      },
    },
  ],
})

/** One stream per session, for its beginning and end. At version 1 the chat is open; at version 2 it has ended. */
export const chatStreams = defineStreams<ChatSessionEvent>('chat-')

/** The version of the stream of an open chat. */
export const OPEN_CHAT_VERSION = 1

/** One stream per session, for its messages only: its versions are the messages' sequence numbers. */
export const messageStreams = defineStreams<RecordedEvent<typeof chatMessagePosted>>('chat-messages-')

/** The session of an event of any of its streams. */
export const sessionIdOf = (stream: string) =>
  stream.replace(/^((links|email|assignment|rating)-of-)?chat-(messages-|desk-)?/, '')

/** A message as this version sends it. */
export type ChatMessage = Sent<typeof wire.chatMessage>

/** A session as this version sends it. */
export type ChatSession = Sent<typeof wire.chatSession>

/** The events of a session's beginning and end. */
export type ChatSessionEvent = RecordedEvent<typeof chatStarted> | RecordedEvent<typeof chatEnded>

/** The session after an event of its stream, oldest first. */
export const evolveChatSession = (
  session: ChatSession | undefined,
  event: Omit<RecordedEvent<typeof chatStarted>, 'metadata'> | Omit<RecordedEvent<typeof chatEnded>, 'metadata'>,
): ChatSession | undefined => {
  switch (event.type) {
    case 'ChatStarted':
      return {
        sessionId: sessionIdOf(event.stream),
        visitorName: event.personal?.visitorName ?? 'Erased',
        visitorEmail: event.personal?.visitorEmail ?? null,
        ...(event.personal?.visitorPhone !== undefined && { visitorPhone: event.personal.visitorPhone }),
        pageUrl: event.personal?.pageUrl ?? null,
        userAgent: event.personal?.userAgent ?? null,
        ...(event.personal?.greeting !== undefined && { greeting: event.personal.greeting }),
        isActive: true,
        startTime: event.recordedAt.toISOString(),
        endTime: null,
      }
    case 'ChatEnded':
      return session && { ...session, isActive: false, endTime: event.recordedAt.toISOString() }
    default:
      event satisfies never
      return session
  }
}

/** A session without its personal data. */
export const erasedSession = ({ greeting: _, visitorPhone: __, ...session }: ChatSession): ChatSession => ({
  ...session,
  visitorName: 'Erased',
  visitorEmail: null,
  pageUrl: null,
  userAgent: null,
})

/** The message that an event holds. */
export const chatMessage = (event: Omit<RecordedEvent<typeof chatMessagePosted>, 'metadata'>): ChatMessage => ({
  id: event.id,
  sequence: event.version,
  sessionId: sessionIdOf(event.stream),
  ...(event.personal?.clientMessageId && { clientMessageId: event.personal.clientMessageId }),
  senderType: event.data.senderType,
  senderName: event.personal?.senderName ?? 'Erased',
  message: event.personal?.message ?? '',
  timestamp: event.recordedAt.toISOString(),
  ...(event.personal?.file && { file: event.personal.file }),
  ...(event.data.by !== undefined && { by: event.data.by }),
})

/** The message as its visitor may see it: from the support team, without its author's name. */
export const forVisitor = (all: ChatMessage): ChatMessage => {
  // field by field: a field that is added to messages later may be for staff only
  const { id, sequence, sessionId, clientMessageId, senderType, senderName, message, timestamp, file } = all
  return {
    id,
    sequence,
    sessionId,
    ...(clientMessageId !== undefined && { clientMessageId }),
    senderType,
    senderName,
    message,
    timestamp,
    ...(file && { file }),
  }
}
