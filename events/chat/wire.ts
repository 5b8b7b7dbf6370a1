import * as v from 'valibot'
import { oneOf, type Received } from '../base/word.ts'
import { ASSIGNMENT_REASONS } from './assignment.ts'
import { ENDERS, SENDERS } from './parties.ts'
import { CHAT_SCORES } from './rating.ts'

const text = v.nullable(v.string())
const receipt = v.object({ delivered: v.number(), seen: v.number() })

/**
 * A file of a chat; `size` is in bytes. The response of `POST /api/chat-files/:sessionId`, whose `id` a message then
 * names.
 */
export const chatFile = v.object({ id: v.string(), name: v.string(), mediaType: v.string(), size: v.number() })

export type ChatFile = Received<typeof chatFile>

/**
 * A message. `sequence` counts from 1 within the session, without gaps; `timestamp` is ISO 8601. `by` and `staffName`
 * name the author of a reply to staff; a visitor never gets them. `file` is at `/api/chat-files/:sessionId/:id`, and
 * the message also has a text for it.
 */
export const chatMessage = v.object({
  id: v.string(),
  sequence: v.number(),
  sessionId: v.string(),
  clientMessageId: v.exactOptional(v.string()),
  senderType: oneOf(SENDERS),
  senderName: v.string(),
  message: v.string(),
  timestamp: v.string(),
  file: v.exactOptional(chatFile),
  by: v.exactOptional(v.string()),
  staffName: v.exactOptional(v.string()),
})

/** A message as a page gets it. */
export type ChatMessage = Received<typeof chatMessage>

/**
 * A session as staff see it. `startTime` and `endTime` are ISO 8601. `greeting` is the message next to the chat button
 * that the visitor replied to, if any. `visitorPhone` is the number that they gave instead of an address.
 */
export const chatSession = v.object({
  sessionId: v.string(),
  visitorName: v.string(),
  visitorEmail: text,
  visitorPhone: v.exactOptional(v.string()),
  pageUrl: text,
  userAgent: text,
  isActive: v.boolean(),
  startTime: v.string(),
  endTime: text,
  greeting: v.exactOptional(v.string()),
})

export type ChatSession = Received<typeof chatSession>

/** How far each side has got with the other's messages; sequence numbers, 0 for none. */
export const receipts = v.object({ visitor: receipt, admin: receipt })

const colleague = v.object({ staffId: v.string(), name: v.string() })

/**
 * The staff member whom a chat is assigned to, null if it is unassigned, and since when, ISO 8601. The higher version
 * is the newer one; version 0, of a chat that was never assigned, has no time.
 */
export const chatAssignment = v.object({
  version: v.number(),
  to: v.nullable(colleague),
  since: v.exactOptional(v.string()),
})

export type ChatAssignment = Received<typeof chatAssignment>

/** A chat was taken, assigned to a colleague, or released. `note` is for staff only; `timestamp` is ISO 8601. */
export const assignmentChange = v.object({
  ...chatAssignment.entries,
  by: colleague,
  reason: oneOf(ASSIGNMENT_REASONS),
  note: text,
  timestamp: v.string(),
})

export type AssignmentChange = Received<typeof assignmentChange>

/**
 * The page of a connected visitor; `pageUrl` is null for the page that the chat began on. They have been there since
 * `since`, ISO 8601.
 */
export const visitorPlace = v.object({ pageUrl: text, since: v.string() })

export type VisitorPlace = Received<typeof visitorPlace>

/** The visitor's rating of an ended chat; `timestamp` is ISO 8601. */
export const chatRating = v.object({ score: oneOf(CHAT_SCORES), comment: text, timestamp: v.string() })

/**
 * The response of `GET /api/chats`: `lastSequence` is 0 for a chat without messages, `lastActivity` is ISO 8601. `here`
 * is for open chats: null for a visitor who has left, and absent while that is unknown.
 */
export const chatList = v.array(
  v.object({
    ...chatSession.entries,
    lastSequence: v.number(),
    lastActivity: v.string(),
    receipts,
    leadId: text,
    assigned: chatAssignment,
    score: v.nullable(oneOf(CHAT_SCORES)),
    here: v.exactOptional(v.nullable(visitorPlace)),
  }),
)

/**
 * The response of `GET /api/chats/:id`: a session, a page of its messages and all its other data. In `transcripts`,
 * `by` is a staff member's name and `upTo` a sequence number. `linkRevocations` lists when the links to the chat were
 * revoked, and by whom. `assignments` are the newest changes of its assignment, oldest first. `knownLeadId` is the
 * newest lead with the visitor's address. `waitingLead` is one that waits for a reply, the one made of the chat
 * (`isMade`) before those with that address; `isByItself` says that staff's messages in the chat count as its reply,
 * `isWritten` that they have written messages that they may count as one. `earlierChats` are the newest other chats of
 * the same visitor. `link` leads the visitor back to the chat; anyone who has it can read and write there, so programs get none,
 * and there is none to an erased chat or one that its visitor can no longer return to. A page of older messages has none
 * of these.
 */
export const chatRecord = v.object({
  session: chatSession,
  endedBy: v.nullable(oneOf(ENDERS)),
  isErased: v.boolean(),
  messages: v.array(chatMessage),
  hasEarlierMessages: v.boolean(),
  pages: v.array(v.object({ pageUrl: v.string(), timestamp: v.string() })),
  receipts,
  leadId: text,
  knownLeadId: v.exactOptional(text),
  waitingLead: v.exactOptional(
    v.nullable(
      v.object({
        id: v.string(),
        isMade: v.boolean(),
        isByItself: v.boolean(),
        isWritten: v.boolean(),
      }),
    ),
  ),
  earlierChats: v.exactOptional(v.array(v.object({ sessionId: v.string(), startTime: v.string() }))),
  link: v.exactOptional(v.string()),
  transcripts: v.array(v.object({ timestamp: v.string(), by: text, upTo: v.number() })),
  linkRevocations: v.array(v.object({ timestamp: v.string(), by: text })),
  assignments: v.array(assignmentChange),
  rating: v.nullable(chatRating),
})

export type ChatRecord = Received<typeof chatRecord>

/** The response of `POST /api/chats/:id/assign`: the new version of the assignment. */
export const madeAssignment = v.object({ version: v.number() })

/**
 * An open chat that a colleague handed over to the caller, who has not replied in it since; `timestamp` is ISO 8601.
 */
const handedChat = v.object({
  sessionId: v.string(),
  visitorName: v.string(),
  from: v.string(),
  timestamp: v.string(),
})

export type HandedChat = Received<typeof handedChat>

/** A chat without a reply; `timestamp` is when its visitor first wrote, ISO 8601. */
const unansweredChat = v.object({ sessionId: v.string(), visitorName: v.string(), timestamp: v.string() })

/**
 * The response of `GET /api/chats/waiting`: how many visitors wait for a reply, which chats without any reply the
 * caller may reply to, newest first, and the chats that were last handed over to the caller and wait for them; programs
 * have none.
 */
export const waitingChats = v.object({
  count: v.number(),
  newest: v.exactOptional(v.array(unansweredChat)),
  handed: v.exactOptional(v.array(handedChat)),
})

export type WaitingChats = Received<typeof waitingChats>

/** The response of `POST /api/chats/:id/transcript`: the sequence number up to which the conversation is sent. */
export const sentTranscript = v.object({ upTo: v.number() })
