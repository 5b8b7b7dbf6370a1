import type { ChatMessage } from '../../events/chat.ts'
import { type Conversation, mergeMessages } from './conversation.ts'

const firstSequence = ({ messages }: Conversation) => messages[0]?.sequence ?? 0

/** Whether something was said before the oldest message that is known. */
export const hasEarlier = (conversation: Conversation) => firstSequence(conversation) > 1

/**
 * Adds the newest part of a chat. What was known before stays where that follows on it; else it goes, so that nothing is
 * missing between two messages: it can be asked for as what is earlier.
 */
export const withNewest = (conversation: Conversation, newest: readonly ChatMessage[]): Conversation => {
  const from = newest[0]?.sequence ?? 1
  const followsOn = from === 1 || conversation.messages.some(({ sequence }) => sequence === from - 1)
  const messages = followsOn ? conversation.messages : conversation.messages.filter(({ sequence }) => sequence >= from)
  return mergeMessages({ ...conversation, messages }, newest)
}

/** Adds what was said right before the oldest message that is known; what ends elsewhere by now changes nothing. */
export const withEarlier = (conversation: Conversation, earlier: readonly ChatMessage[]): Conversation =>
  earlier.at(-1)?.sequence === firstSequence(conversation) - 1 ? mergeMessages(conversation, earlier) : conversation
