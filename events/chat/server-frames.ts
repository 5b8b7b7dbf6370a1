import * as v from 'valibot'
import { oneOf, type Received } from '../base/word.ts'
import { SENDERS } from './parties.ts'
import { CHAT_SCORES } from './rating.ts'
import { assignmentChange, chatAssignment, chatMessage, chatSession, receipts, visitorPlace } from './wire.ts'

/**
 * Why a frame was refused. A frame refused as `unavailable` or `too_many_requests` may be sent again a little later.
 */
export const ERROR_CODES = [
  'bad_frame',
  'not_allowed',
  'not_joined',
  'unknown_session',
  'chat_ended',
  'id_reused',
  'too_large',
  'too_many_requests',
  'unavailable',
] as const

const timeOrNone = v.nullable(v.string())

/** The last message of a chat, cut to LAST_WORDS_CHARACTERS. */
const lastWords = v.object({
  senderType: oneOf(SENDERS),
  senderName: v.string(),
  message: v.string(),
  timestamp: v.string(),
})

/**
 * A chat without its text, for a list. `answered` is the sequence number of the newest reply, 0 for none, and at most
 * ANSWER_LOOKED_FOR before the last message; all messages after it are the visitor's. `waitingSince` is when the first
 * of them was written. `last` is null if there are no messages, or the last one cannot be read at the moment.
 */
export const chatOutline = v.object({
  lastSequence: v.number(),
  answered: v.number(),
  waitingSince: timeOrNone,
  last: v.nullable(lastWords),
})

/** An open session in a console's list; `lastSequence` is its last message's sequence number, 0 for none. */
const listedSession = v.object({
  ...chatSession.entries,
  lastSequence: v.number(),
  receipts,
  outline: chatOutline,
  assigned: chatAssignment,
})

/** A staff member who views a session, and may be typing a reply; `name` is for colleagues. */
const viewer = v.object({ staffId: v.string(), name: v.string(), isTyping: v.boolean() })

export type ChatOutline = Received<typeof chatOutline>
export type ListedSession = Received<typeof listedSession>
export type Viewer = Received<typeof viewer>

const sessionId = v.string()

/**
 * The frames that the server sends over the socket. Clients ignore frames of unknown types, and unknown fields.
 *
 * - `chat_outlines`: the current state of chats with new messages, for consoles that sent their list; those get
 *   messages and receipts only of the chat that they have opened with `open_chat`. At most four such frames come per
 *   second, however many chats are busy.
 * - `chat_joined`: `isOwn` says that the chat began on this device: it may give an address, and rate the chat once it
 *   has ended. `hasRated` says that it has a rating; a device that came by a link never learns this.
 * - `email_accepted`: the address is stored. `visitor_email` sends staff, and only staff, the address that replies go
 *   to from now on.
 * - `resume_token`: the links to the chat were revoked. This token replaces the one of `chat_joined`.
 * - `chat_joined`: `greeting` is the message next to the chat button by which the chat began, if any.
 * - `rating_accepted`: the rating is stored. `chat_rated` notifies staff of a rating.
 * - `chat_assigned`: the chat's assignment has changed. Sent to staff only.
 * - `colleague_removed`: the account was removed, and its chats are unassigned. Sent to staff only.
 * - `chat_ended`: with `isErased`, clients delete everything of the chat. A visitor who enters a chat that has ended gets
 *   the time of its end, `endedAt`, ISO 8601.
 * - `presence`: `isVisitorAway` means that staff view the chat and the visitor has been connected to no node for some
 *   seconds.
 * - `visitors_here`: the pages where the visitors of the chats in `follow_visitors` are: at first all who are
 *   connected, within seconds those who have left, for whom `here` is null, then changes. A page that they go to later
 *   is a `page_viewed`.
 * - `active_sessions`: the newest open sessions, and the open ones among those that `join_admin` listed; `total` counts
 *   all open sessions. If there are more, `next` is the cursor for `GET /api/chats?state=active`. With `isPreparing`
 *   the list is not ready yet: new sessions and messages are sent all the same, and the console asks again by
 *   `join_admin`.
 * - `error`: `refused` is the type of the frame that was refused. `retryAfterS` is how long to wait before it is sent
 *   again, in seconds.
 */
export const serverFrame = v.variant('type', [
  v.object({
    type: v.literal('chat_joined'),
    sessionId,
    message: v.string(),
    resumeToken: v.string(),
    resumed: v.boolean(),
    isOwn: v.boolean(),
    hasRated: v.boolean(),
    greeting: v.exactOptional(v.string()),
  }),
  v.object({ type: v.literal('resume_token'), sessionId, resumeToken: v.string() }),
  v.object({
    type: v.literal('message_accepted'),
    clientMessageId: v.exactOptional(v.string()),
    id: v.string(),
    sequence: v.number(),
    timestamp: v.string(),
  }),
  v.object({ type: v.literal('email_accepted'), sessionId, clientMessageId: v.string() }),
  v.object({ type: v.literal('rating_accepted'), sessionId }),
  v.object({ type: v.literal('chat_rated'), sessionId, score: oneOf(CHAT_SCORES) }),
  v.object({ type: v.literal('visitor_email'), sessionId, visitorEmail: v.string() }),
  v.object({ type: v.literal('chat_assigned'), sessionId, ...assignmentChange.entries }),
  v.object({ type: v.literal('colleague_removed'), staffId: v.string() }),
  v.object({ type: v.literal('new_message'), ...chatMessage.entries }),
  v.object({ type: v.literal('chat_history'), sessionId, messages: v.array(chatMessage) }),
  v.object({ type: v.literal('typing'), sessionId, senderType: oneOf(SENDERS), isTyping: v.boolean() }),
  v.object({
    type: v.literal('chat_ended'),
    sessionId,
    isErased: v.exactOptional(v.literal(true)),
    endedAt: v.exactOptional(v.string()),
  }),
  v.object({
    type: v.literal('receipt'),
    sessionId,
    party: oneOf(SENDERS),
    delivered: v.number(),
    seen: v.number(),
  }),
  v.object({ type: v.literal('presence'), sessionId, staff: v.array(viewer), isVisitorAway: v.boolean() }),
  v.object({ type: v.literal('page_viewed'), sessionId, pageUrl: v.string(), timestamp: v.string() }),
  v.object({
    type: v.literal('active_sessions'),
    sessions: v.array(listedSession),
    total: v.number(),
    next: v.exactOptional(v.string()),
    isPreparing: v.exactOptional(v.literal(true)),
  }),
  v.object({
    type: v.literal('chat_outlines'),
    chats: v.array(v.object({ sessionId, ...chatOutline.entries })),
  }),
  v.object({
    type: v.literal('visitors_here'),
    chats: v.array(v.object({ sessionId, here: v.nullable(visitorPlace) })),
  }),
  v.object({ type: v.literal('new_chat_session'), ...chatSession.entries }),
  v.object({
    type: v.literal('error'),
    code: oneOf(ERROR_CODES),
    message: v.string(),
    clientMessageId: v.exactOptional(v.string()),
    refused: v.exactOptional(v.string()),
    retryAfterS: v.exactOptional(v.number()),
  }),
  v.object({ type: v.literal('reconnect'), afterMs: v.number() }),
  v.object({ type: v.literal('pong') }),
])

/** A frame as a page gets it, of a type that it knows. */
export type ServerFrame = Received<typeof serverFrame>

/** The code of an error as a page gets it. */
export type ErrorCode = Extract<ServerFrame, { type: 'error' }>['code']
