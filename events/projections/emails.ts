import type { AnyRecordedEvent } from '../catalogue.ts'
import { type ChatMessage, chatMessage, chatStreams, messageStreams, sessionIdOf } from '../chat.ts'
import type { Email } from '../email.ts'
import { type ChatEmailContext, type ChatEmailEvent, chatEmailOf, isForVisitor, messagesWanted } from '../email-chat.ts'
import { emailOf } from '../email-fields.ts'
import { readReceiptsOf } from '../log/chat-receipts.ts'
import type { Sql } from '../log/connection.ts'
import { readEvent, readNewest, readStream } from '../log/read.ts'

/** How many messages are read for one e-mail: the newest. */
const MAX_MESSAGES = 2_000

/** Who writes, and how the link is made that resumes a chat. */
export type Sender = Pick<ChatEmailContext, 'agencyName' | 'publicUrl'> & {
  resumeUrl: (sessionId: string) => string | undefined
}

const readMessages = async (sql: Sql, event: ChatEmailEvent): Promise<ChatMessage[]> => {
  const { after, upTo } = messagesWanted(event)
  const from = Math.max(after, upTo - MAX_MESSAGES)
  const events = await readStream(sql, messageStreams.of(sessionIdOf(event.stream)), {
    after: from,
    limit: upTo - from,
  })
  return events.map(chatMessage)
}

const readVisitorName = async (sql: Sql, sessionId: string) => {
  const [started] = await readStream(sql, chatStreams.of(sessionId), { limit: 1 })
  return (started?.type === 'ChatStarted' && started.personal?.visitorName) || 'there'
}

/** The e-mail that the event with this id asks for, whole. Undefined where there is none, or it was erased. */
export const readEmail = async (sql: Sql, eventId: string, sender: Sender): Promise<Email | undefined> => {
  const event = await readEvent(sql, eventId)
  return event && (await composeEmail(sql, event, sender))
}

/** The e-mail that an event asks for, whole. Undefined where it asks for none, or was erased. */
export const composeEmail = async (sql: Sql, event: AnyRecordedEvent, sender: Sender): Promise<Email | undefined> => {
  if (!isForVisitor(event)) return emailOf(event)
  if (!event.personal) return undefined
  const sessionId = sessionIdOf(event.stream)
  const [messages, visitorName] = await Promise.all([readMessages(sql, event), readVisitorName(sql, sessionId)])
  const { agencyName, publicUrl } = sender
  return chatEmailOf(event, { visitorName, messages, agencyName, publicUrl, resumeUrl: sender.resumeUrl(sessionId) })
}

/** Whether a visitor has seen, or answered, all that the e-mail about unread answers would tell. */
export const isSeenByVisitor = async (sql: Sql, eventId: string): Promise<boolean> => {
  const event = await readEvent(sql, eventId)
  if (event?.type !== 'ChatAnswersUnread') return false
  const sessionId = sessionIdOf(event.stream)
  const { upTo } = event.data
  const { visitor } = await readReceiptsOf(sql, sessionId)
  if (visitor.seen >= upTo) return true
  const [reply] = await readNewest(sql, messageStreams.of(sessionId), { limit: 1, data: { senderType: 'visitor' } })
  return reply !== undefined && reply.version > upTo
}
