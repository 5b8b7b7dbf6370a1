import { chatStreams, messageStreams } from '../../events/chat.ts'
import type { Receipts } from '../../events/chat-activity.ts'
import { pageVersionOf } from '../../events/log/chat-pages.ts'
import { receiptsFrom, receiptsOf } from '../../events/log/chat-receipts.ts'
import type { Sql } from '../../events/log/connection.ts'
import type { RoomActivityState } from './room-activity.ts'
import { type SessionState, stateAt } from './session-log.ts'

type Row = {
  head: number
  chatThen: number
  chatNow: number
  saidThen: number
  saidNow: number
  pageVersion: number
  receipts: Partial<Receipts> | null
}

/** The version of a stream's newest event, or of the newest one up to a position; 0 for none. */
const newestVersion = (sql: Sql, stream: string, position?: number) => sql`coalesce((
  select version from events where stream = ${stream} ${position === undefined ? sql`` : sql`and position <= ${position}`}
  order by version desc limit 1), 0)`

/**
 * What a room of a session opens with, in one query: how far the session had come at a position of the log, how far it has
 * come by now, as it is on the disk, and what is stored around its messages.
 */
export const readRoomState = async (
  sql: Sql,
  sessionId: string,
  position: number,
): Promise<{ before: SessionState; now: SessionState; activity: RoomActivityState }> => {
  const [row] = await sql<Row[]>`
    select (select last_position from log_head) as head,
      ${newestVersion(sql, chatStreams.of(sessionId), position)} as "chatThen",
      ${newestVersion(sql, chatStreams.of(sessionId))} as "chatNow",
      ${newestVersion(sql, messageStreams.of(sessionId), position)} as "saidThen",
      ${newestVersion(sql, messageStreams.of(sessionId))} as "saidNow",
      ${pageVersionOf(sql, sessionId)} as "pageVersion",
      ${receiptsOf(sql, sessionId)} as receipts`
  if (!row) throw new Error('Postgres answered no row')
  await sql.durable.upTo(row.head)
  return {
    before: stateAt(row.chatThen, row.saidThen),
    now: stateAt(row.chatNow, row.saidNow),
    activity: { receipts: receiptsFrom(row.receipts), pageVersion: row.pageVersion },
  }
}
