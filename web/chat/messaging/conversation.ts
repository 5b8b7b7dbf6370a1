import { type ChatFile, fileInWords } from '../../../events/chat/file.ts'
import type { ChatMessage } from '../../../events/chat/wire.ts'
import { randomId } from '../../client/random-id.ts'
import { serverNow } from '../../client/server-time.ts'

/** A message that the server has not accepted yet; `refused` is why it never will. `timestamp` is ISO 8601. */
export type UnsentMessage = {
  clientMessageId: string
  message: string
  timestamp: string
  /** The file named by the message. It is stored in the chat already. */
  file?: ChatFile
  refused?: string
}

/** A chat as one side sees it: the accepted messages, by sequence, then those still on their way. */
export type Conversation = { messages: ChatMessage[]; unsent: UnsentMessage[] }

export const emptyConversation: Conversation = { messages: [], unsent: [] }

/**
 * Adds messages from the server, each once however often and in whatever order they arrive. One of our own is no longer
 * unsent.
 */
export const mergeMessages = (conversation: Conversation, incoming: readonly ChatMessage[]): Conversation => {
  const byId = new Map(conversation.messages.map((message) => [message.id, message]))
  for (const message of incoming) byId.set(message.id, message)
  const arrived = new Set(incoming.map(({ clientMessageId }) => clientMessageId))
  return {
    messages: [...byId.values()].sort((a, b) => a.sequence - b.sequence),
    unsent: conversation.unsent.filter(({ clientMessageId }) => !arrived.has(clientMessageId)),
  }
}

export const hasAnswer = (messages: readonly ChatMessage[]): boolean =>
  messages.some(({ senderType }) => senderType === 'admin')

export const unsentMessage = (message: string): UnsentMessage => ({
  clientMessageId: randomId(),
  message,
  timestamp: serverNow().toISOString(),
})

export const unsentFile = (file: ChatFile): UnsentMessage => ({ ...unsentMessage(fileInWords(file)), file })

export const queueMessage = (conversation: Conversation, unsent: UnsentMessage): Conversation => ({
  ...conversation,
  unsent: [...conversation.unsent, unsent],
})

type Accepted = { clientMessageId?: string; id: string; sequence: number; timestamp: string }
type Sender = Pick<ChatMessage, 'sessionId' | 'senderType' | 'senderName'>

/** Turns an unsent message into an accepted one; an unknown id changes nothing. */
export const acceptMessage = (conversation: Conversation, accepted: Accepted, sender: Sender): Conversation => {
  const { clientMessageId, id, sequence, timestamp } = accepted
  const unsent = conversation.unsent.find((message) => message.clientMessageId === clientMessageId)
  if (!unsent) return conversation
  const { message, file } = unsent
  const known = conversation.messages.find((other) => other.id === id)
  const own = {
    ...sender,
    id,
    sequence,
    timestamp,
    message,
    ...(file && { file }),
    clientMessageId: unsent.clientMessageId,
  }
  return mergeMessages(conversation, [known ?? own])
}

/** Marks an unsent message as refused, so that it is not sent again automatically. */
export const refuseMessage = (conversation: Conversation, clientMessageId: string, refused: string): Conversation => ({
  ...conversation,
  unsent: conversation.unsent.map((unsent) =>
    unsent.clientMessageId === clientMessageId ? { ...unsent, refused } : unsent,
  ),
})

/** Clears the refusals, so that the messages are sent again: one by its id, or all. */
export const allowMessages = (conversation: Conversation, only?: string): Conversation => ({
  ...conversation,
  unsent: conversation.unsent.map((unsent) => {
    const { refused: _, ...allowed } = unsent
    return only === undefined || unsent.clientMessageId === only ? allowed : unsent
  }),
})

/** The sequence number up to which the cached messages have no gap, from the first one. 0 for none. */
export const unbrokenUpTo = ({ messages }: Conversation) => {
  const hole = messages.findIndex(({ sequence }, index) => sequence > (messages[index - 1]?.sequence ?? sequence) + 1)
  return messages.at(hole < 0 ? -1 : hole - 1)?.sequence ?? 0
}

/** The number to resume after: 0 if the first message is not cached. */
export const lastSequence = (conversation: Conversation) =>
  conversation.messages[0]?.sequence === 1 ? unbrokenUpTo(conversation) : 0

/** The highest cached sequence number; 0 for none. */
export const newestSequence = ({ messages }: Conversation) => messages.at(-1)?.sequence ?? 0

/** The number of messages of the other side after the last one seen. */
export const unreadCount = ({ messages }: Conversation, from: ChatMessage['senderType'], seen: number) =>
  messages.filter(({ senderType, sequence }) => senderType === from && sequence > seen).length

export const MAX_UNREAD_SHOWN = 9

/** An unread count as a badge shows it: `9+` above nine. */
export const badge = (count: number) => (count > MAX_UNREAD_SHOWN ? `${MAX_UNREAD_SHOWN}+` : String(count))
