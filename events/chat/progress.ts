import type { RecordedEvent } from '../base/definition.ts'
import { activityEvents, type chatErased } from './activity.ts'
import { chatAssigned } from './assignment.ts'
import {
  type ChatSession,
  type ChatSessionEvent,
  chatEnded,
  chatMessagePosted,
  chatStarted,
  erasedSession,
  evolveChatSession,
} from './chat.ts'
import { chatEmailGiven } from './given-email.ts'
import { type ChatScore, chatRated } from './rating.ts'

/** Any event that says something about a chat. */
export const chatEvents = [
  chatStarted,
  chatEnded,
  chatMessagePosted,
  ...activityEvents,
  chatEmailGiven,
  chatAssigned,
  chatRated,
] as const

export type ChatEvent = RecordedEvent<(typeof chatEvents)[number]>

/** The events that change a session itself: its beginning, a later address, its end, and its being erased. */
export type SessionEvent = ChatSessionEvent | RecordedEvent<typeof chatEmailGiven> | RecordedEvent<typeof chatErased>

/** The types of SessionEvent. */
export const SESSION_EVENTS = [
  'ChatStarted',
  'ChatEmailGiven',
  'ChatEnded',
  'ChatErased',
] as const satisfies SessionEvent['type'][]

/** Whether an event changes the session itself. */
export const isSessionEvent = (event: { type: string }): event is SessionEvent =>
  SESSION_EVENTS.some((type) => type === event.type)

/**
 * The progress of a chat, by the log; receipts are separate. Sequence numbers are 0 for none; `lastActivity` is the
 * time of the last message, or else of the chat's beginning, ISO 8601. Replies up to `settled` need no email: the
 * visitor wrote after them, or got them by email. `assignedTo` is the assigned staff member, `rating` the visitor's.
 */
export type ChatProgress = {
  lastSequence: number
  lastActivity: string
  lastAnswer: { sequence: number; timestamp: string } | null
  settled: number
  leadId: string | null
  assignedTo: string | null
  rating: { score: ChatScore; timestamp: string } | null
  isErased: boolean
}

/** A chat as the staff's list and the worker's rounds know it. */
export type ChatSummary = { session: ChatSession; progress: ChatProgress }

const newSummary = (session: ChatSession): ChatSummary => ({
  session,
  progress: {
    lastSequence: 0,
    lastActivity: session.startTime,
    lastAnswer: null,
    settled: 0,
    leadId: null,
    assignedTo: null,
    rating: null,
    isErased: false,
  },
})

const posted = (progress: ChatProgress, event: RecordedEvent<typeof chatMessagePosted>): ChatProgress => {
  const { version: sequence } = event
  const timestamp = event.recordedAt.toISOString()
  const isAnswer = event.data.senderType === 'admin'
  return {
    ...progress,
    lastSequence: sequence,
    lastActivity: timestamp,
    ...(isAnswer ? { lastAnswer: { sequence, timestamp } } : { settled: sequence }),
  }
}

const progressed = (progress: ChatProgress, event: ChatEvent): ChatProgress => {
  switch (event.type) {
    case 'ChatMessagePosted':
      return posted(progress, event)
    case 'ChatAnswersUnread':
      return { ...progress, settled: Math.max(progress.settled, event.data.upTo) }
    case 'ChatBecameLead':
      return { ...progress, leadId: event.data.leadId }
    case 'ChatAssigned':
      return { ...progress, assignedTo: event.data.to }
    case 'ChatRated':
      return { ...progress, rating: { score: event.data.score, timestamp: event.recordedAt.toISOString() } }
    case 'ChatStarted':
    case 'ChatEnded':
    case 'ChatTranscriptRequested':
    case 'ChatEmailGiven':
      return progress
    case 'ChatErased':
      return { ...progress, isErased: true }
    default:
      event satisfies never
      return progress
  }
}

/** The session alone after an event that says something about it, oldest first. */
export const evolveSession = (session: ChatSession | undefined, event: SessionEvent): ChatSession | undefined => {
  switch (event.type) {
    case 'ChatErased':
      return session && erasedSession(session)
    case 'ChatEmailGiven':
      return session && { ...session, visitorEmail: event.personal?.visitorEmail ?? session.visitorEmail }
    default:
      return evolveChatSession(session, event)
  }
}

/** The chat after an event of any of its streams, in the order of the log. Undefined until it has begun. */
export const evolveChat = (chat: ChatSummary | undefined, event: ChatEvent): ChatSummary | undefined => {
  // the log accepts none after an erasure; a view would store it all the same
  if (event.type === 'ChatEmailGiven' && chat?.progress.isErased) return chat
  const session = isSessionEvent(event) ? evolveSession(chat?.session, event) : chat?.session
  if (!session) return undefined
  return chat ? { session, progress: progressed(chat.progress, event) } : newSummary(session)
}

/**
 * The replies that the visitor has neither seen, up to the message `seen`, nor got by email (`after` exclusive, `upTo`
 * inclusive), and since when.
 */
export const unreadAnswers = ({ lastAnswer, settled }: ChatProgress, seen: number) => {
  const after = Math.max(settled, seen)
  return lastAnswer && lastAnswer.sequence > after
    ? { after, upTo: lastAnswer.sequence, since: lastAnswer.timestamp }
    : undefined
}
