import type { ChatSession } from '../chat.ts'
import type { ChatProgress } from '../chat-summary.ts'
import type { Sql } from '../log/connection.ts'
import { schemaOf } from './projection.ts'

const VIEW = schemaOf('chats')

/** Which chats are wanted; `q` is searched for, in lower case, in the visitor's name and address and in what was said. */
export type ChatFilter = { state?: 'active' | 'ended' | undefined; q?: string | undefined }

/** The last chat of a page: where the next one goes on. */
export type ChatCursor = { timestamp: string; id: string }

/** A chat of the list. */
export type ListedChat = ChatSession & Pick<ChatProgress, 'lastSequence' | 'lastActivity' | 'receipts' | 'leadId'>

const likePattern = (q: string) => `%${q.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`

/** A page of chats, the newest first. */
export const listChats = async (
  sql: Sql,
  { state, q }: ChatFilter,
  { limit, after }: { limit: number; after?: ChatCursor | undefined },
): Promise<ListedChat[]> => {
  const said = (pattern: string) => sql`
    exists (select from ${sql(VIEW)}.said where session_id = sessions.id and text like ${pattern})`
  const rows = await sql<{ session: ChatSession; progress: ChatProgress }[]>`
    select session, progress from ${sql(VIEW)}.sessions
    where true
      ${state ? sql`and ${state === 'active' ? sql`is_active` : sql`not is_active`}` : sql``}
      ${q ? sql`and (search like ${likePattern(q)} or ${said(likePattern(q))})` : sql``}
      ${after ? sql`and (started_at, id) < (${after.timestamp}::timestamptz, ${after.id}::uuid)` : sql``}
    order by started_at desc, id desc
    limit ${limit}`
  return rows.map(({ session, progress: { lastSequence, lastActivity, receipts, leadId } }) => ({
    ...session,
    lastSequence,
    lastActivity,
    receipts,
    leadId,
  }))
}

/** The chats that go on though nobody has written since a time, at most `limit`, the longest silent first. */
export const silentChats = async (sql: Sql, since: Date, limit: number): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    select id from ${sql(VIEW)}.sessions where is_active and last_activity < ${since}
    order by last_activity limit ${limit}`
  return rows.map(({ id }) => id)
}

/** The chats whose visitor gave an address and has not seen answers of this time, at most `limit`, the oldest first. */
export const unreadChats = async (
  sql: Sql,
  { from, to }: { from: Date; to: Date },
  limit: number,
): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    select id from ${sql(VIEW)}.sessions where unread_since >= ${from} and unread_since < ${to}
    order by unread_since limit ${limit}`
  return rows.map(({ id }) => id)
}
