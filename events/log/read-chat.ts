import { chatStreams, messageStreams } from '../chat.ts'
import { chatDeskStreams } from '../chat-desk.ts'
import { chatEmailStreams } from '../chat-email.ts'
import { type ChatSummary, evolveChat } from '../chat-summary.ts'
import { type Queryable, readNewest, readStream, readVersions } from './read.ts'

/** A chat begins once and ends once. */
const SESSION_EVENTS_READ = 2

/** Of all that was said, the last message of either side is what a summary knows. */
const lastMessages = async (sql: Queryable, sessionId: string) => {
  const lastOf = (senderType: string) =>
    readNewest(sql, messageStreams.of(sessionId), { limit: 1, data: { senderType } })
  return [...(await lastOf('visitor')), ...(await lastOf('admin'))]
}

/** Of its desk, the last event of each type says it all. */
const lastDeskEvents = async (sql: Queryable, sessionId: string) => {
  const desk = chatDeskStreams.of(sessionId)
  return [
    ...(await readNewest(sql, desk, { limit: 1, types: ['ChatAnswersUnread'] })),
    ...(await readNewest(sql, desk, { limit: 1, types: ['ChatBecameLead'] })),
    ...(await readNewest(sql, desk, { limit: 1, types: ['ChatErased'] })),
  ]
}

/**
 * How far a chat has come by the log, with the version that its desk's stream has; undefined where there is none. Decrypts
 * the few events that tell it; where staff never answered, it looks through all messages for an answer.
 */
export const readChat = async (
  sql: Queryable,
  sessionId: string,
): Promise<{ chat: ChatSummary | undefined; desk: number }> => {
  // the version first: what is appended while the rest is read makes it a version of before
  const stream = chatDeskStreams.of(sessionId)
  const desk = (await readVersions(sql, [stream])).get(stream) ?? 0
  const events = [
    ...(await readStream(sql, chatStreams.of(sessionId), { limit: SESSION_EVENTS_READ })),
    ...(await readNewest(sql, chatEmailStreams.of(sessionId), { limit: 1 })),
    ...(await lastMessages(sql, sessionId)),
    ...(desk > 0 ? await lastDeskEvents(sql, sessionId) : []),
  ]
  const chat = events
    .sort((one, other) => one.position - other.position)
    .reduce<ChatSummary | undefined>(evolveChat, undefined)
  return { chat, desk }
}

/** Whether a chat has been erased, whatever of it is still to be forgotten. */
export const isErased = async (sql: Queryable, sessionId: string): Promise<boolean> =>
  (await readNewest(sql, chatDeskStreams.of(sessionId), { limit: 1, types: ['ChatErased'] })).length > 0
