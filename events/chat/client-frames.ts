import * as v from 'valibot'
import { listOf } from '../base/list-of.ts'
import { givenId, requiredText } from '../base/text.ts'
import { MAX_GREETING_CHARACTERS } from '../settings/chat-greetings.ts'
import { MAX_MESSAGE_CHARACTERS, visitorJoin } from './chat.ts'
import { givenEmail } from './given-email.ts'
import { MAX_LISTED_SESSIONS } from './outline.ts'
import { chatRatingForm } from './rating.ts'
import type { ERROR_CODES } from './server-frames.ts'

const sessionId = v.pipe(v.string('A sessionId is required'), v.uuid('A sessionId is a UUID'), v.toLowerCase())

const clientMessageId = requiredText('A clientMessageId must not be empty', { max: 100 })

const joinChat = v.object({
  type: v.literal('join_chat'),
  ...visitorJoin.entries,
  // the client's own secret for a chat that it starts: a repeated frame finds the chat that the first one started
  joinKey: v.optional(v.pipe(v.string(), v.uuid('A joinKey is a UUID'))),
  sessionId: v.optional(sessionId),
  resumeToken: v.optional(v.pipe(v.string(), v.maxLength(200))),
  afterSequence: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
  // the message next to the chat button by which a visitor begins the chat; texts that are not ours are dropped
  greeting: v.optional(v.pipe(v.string(), v.maxLength(MAX_GREETING_CHARACTERS, 'A greeting is one of our messages'))),
})

const sendMessage = v.object({
  type: v.literal('send_message'),
  sessionId,
  message: requiredText('A message must not be empty', { max: MAX_MESSAGE_CHARACTERS, lines: true }),
  clientMessageId: v.optional(clientMessageId),
  // a file that this side has stored in the chat: the node writes the text for it, and ignores `message`
  fileId: v.optional(givenId('A fileId is a UUID')),
})

// the first address for replies, or a corrected one, from the device that began the chat; a retry with the same id
// stores one
const giveEmail = v.object({
  type: v.literal('give_email'),
  sessionId,
  clientMessageId,
  ...givenEmail.entries,
})

// the visitor's rating of an ended chat; from the device that began it, once
const rateChat = v.object({ type: v.literal('rate_chat'), sessionId, ...chatRatingForm.entries })

const typing = v.object({ type: v.literal('typing'), sessionId, isTyping: v.boolean() })
const endChat = v.object({ type: v.literal('end_chat'), sessionId })
const getMessages = v.object({ type: v.literal('get_messages'), sessionId })
const ping = v.object({ type: v.literal('ping') })
const sequence = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

const joinAdmin = v.object({
  type: v.literal('join_admin'),
  // The chats in the console's list: those still open are sent again, besides the newest. A client that sends its list
  // gets outlines and the messages of one chat, see `open_chat`; a client that does not gets all messages.
  listed: v.optional(listOf(sessionId, MAX_LISTED_SESSIONS, `At most ${MAX_LISTED_SESSIONS} chats may be listed`)),
})

// the console now shows this session (null: none): it gets the messages after `afterSequence`, then the later ones
const openChat = v.object({
  type: v.literal('open_chat'),
  sessionId: v.nullable(sessionId),
  afterSequence: v.optional(sequence),
})

// how far this client has got with the other side's messages; a visitor's page reports for itself, a console for staff
const receipt = v.object({ type: v.literal('receipt'), sessionId, delivered: sequence, seen: sequence })

// the staff member now views this session (null: none)
const watch = v.object({ type: v.literal('watch'), sessionId: v.nullable(sessionId) })

// the chats for which the console shows the visitor's page; replaces the previous list
const followVisitors = v.object({
  type: v.literal('follow_visitors'),
  sessionIds: listOf(sessionId, MAX_LISTED_SESSIONS, `At most ${MAX_LISTED_SESSIONS} chats may be followed`),
})

const frames = {
  joinChat,
  sendMessage,
  giveEmail,
  rateChat,
  typing,
  endChat,
  joinAdmin,
  getMessages,
  openChat,
  receipt,
  watch,
  followVisitors,
  ping,
}

type ClientFrameSchema = (typeof frames)[keyof typeof frames]

/**
 * The frames that a client may send over the socket, by type. Frames of any other type are ignored, whatever they hold.
 */
export const CLIENT_FRAMES: ReadonlyMap<unknown, ClientFrameSchema> = new Map(
  Object.values(frames).map((frame) => [frame.entries.type.literal, frame]),
)

/** A frame from a client as it arrives in the gateway, validated. */
export type ReceivedFrame = v.InferOutput<ClientFrameSchema>

/** The sender of a client's messages. */
export type MessageSender = { senderType: 'visitor' | 'admin'; senderName: string }

type WithSender<Frame> = Frame extends { type: 'send_message' } ? Frame & Partial<MessageSender> : Frame

/**
 * A frame as a client writes it. A message names its sender, but the server uses the sender that the socket belongs to.
 */
export type ClientFrame = WithSender<v.InferInput<ClientFrameSchema>>

/** Why a frame was refused. */
export type ErrorCode = (typeof ERROR_CODES)[number]
