import type { RecordedEvent } from '../../base/definition.ts'
import { type Queryable, readNewest, readParts, readStream, readVersions } from '../../log/read.ts'
import { chatActivityStreams } from '../activity.ts'
import { type chatAssigned, chatAssignmentStreams } from '../assignment.ts'
import { chatStreams, messageStreams } from '../chat.ts'
import { type chatEmailGiven, chatEmailStreams } from '../given-email.ts'
import { type ChatSummary, evolveChat } from '../progress.ts'
import { type chatRated, chatRatingStreams } from '../rating.ts'

/** A chat begins once and ends once. */
const SESSION_EVENTS_READ = 2

type Change = RecordedEvent<typeof chatEmailGiven | typeof chatAssigned | typeof chatRated>

/** Only the latest change matters for the reply address, assignee and rating. */
const lastChanges = (sql: Queryable, sessionId: string) => {
  const streams = [chatEmailStreams, chatAssignmentStreams, chatRatingStreams].map((each) => each.of(sessionId))
  return readParts<Change>(
    sql,
    streams.map((stream) => ({ stream, limit: 1 })),
    'newest',
  )
}

/** Of the messages, a summary holds only the last one of either side. */
const lastMessages = async (sql: Queryable, sessionId: string) => {
  const lastOf = (senderType: string) =>
    readNewest(sql, messageStreams.of(sessionId), { limit: 1, data: { senderType } })
  return [...(await lastOf('visitor')), ...(await lastOf('admin'))]
}

/** Of its activity, the last event of each type says it all. */
const lastActivityEvents = async (sql: Queryable, sessionId: string) => {
  const activity = chatActivityStreams.of(sessionId)
  return [
    ...(await readNewest(sql, activity, { limit: 1, types: ['ChatAnswersUnread'] })),
    ...(await readNewest(sql, activity, { limit: 1, types: ['ChatBecameLead'] })),
    ...(await readNewest(sql, activity, { limit: 1, types: ['ChatErased'] })),
  ]
}

/**
 * The progress of a chat, read from the log, with the version of its activity stream; undefined if there is none.
 * Decrypts only the few events it needs; if staff never replied, it searches all messages for a reply.
 */
export const readChat = async (
  sql: Queryable,
  sessionId: string,
): Promise<{ chat: ChatSummary | undefined; activity: number }> => {
  // the version first: an append during the read then makes it an older version
  const stream = chatActivityStreams.of(sessionId)
  const activity = (await readVersions(sql, [stream])).get(stream) ?? 0
  const events = [
    ...(await readStream(sql, chatStreams.of(sessionId), { limit: SESSION_EVENTS_READ })),
    ...(await lastChanges(sql, sessionId)),
    ...(await lastMessages(sql, sessionId)),
    ...(activity > 0 ? await lastActivityEvents(sql, sessionId) : []),
  ]
  const chat = events
    .sort((one, other) => one.position - other.position)
    .reduce<ChatSummary | undefined>(evolveChat, undefined)
  return { chat, activity }
}

/** Whether a chat has been erased, even if some of its data is still to be deleted. */
export const isErased = async (sql: Queryable, sessionId: string): Promise<boolean> =>
  (await readNewest(sql, chatActivityStreams.of(sessionId), { limit: 1, types: ['ChatErased'] })).length > 0
