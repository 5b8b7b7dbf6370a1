import { NO_RECEIPTS, type Receipts } from '../../../events/chat/activity.ts'
import { chatAssignmentStreams } from '../../../events/chat/assignment.ts'
import { chatStreams, messageStreams } from '../../../events/chat/chat.ts'
import { chatEmailStreams } from '../../../events/chat/given-email.ts'
import { chatLinksStreams } from '../../../events/chat/links.ts'
import { chatRatingStreams } from '../../../events/chat/rating.ts'
import type { LiveChatEvent } from '../../../events/chat/store/chat-notifications.ts'
import { pageVersionOf, readPagesAfter } from '../../../events/chat/store/pages.ts'
import { readReceipts, receiptsFrom, receiptsOf } from '../../../events/chat/store/receipts.ts'
import { readParts } from '../../../events/log/read.ts'
import type { Sql } from '../../../events/stores/connection.ts'
import type { RoomActivity, RoomActivityState } from './room-activity.ts'

/** At most this many events are read at a time. */
const PAGE_EVENTS = 200

/**
 * The streams that a room follows version by version. ChatErased is in the chat's activity stream, which holds much
 * else.
 */
const FOLLOWED = [
  chatStreams,
  messageStreams,
  chatEmailStreams,
  chatAssignmentStreams,
  chatRatingStreams,
  chatLinksStreams,
]

/** The versions of a session's streams, by stream. */
export type Versions = ReadonlyMap<string, number>

type StoredRoom = {
  /** The versions at the requested position, and now. */
  before: Versions
  now: Versions
  activity: RoomActivityState
  /** The staff member to whom the chat is assigned, whether or not they still have an account. */
  assignee: string | null
}

type Row = {
  head: number
  before: number[]
  now: number[]
  pageVersion: number
  receipts: Partial<Receipts> | null
  assignee: string | null
}

/** The versions of streams, in their order: of the newest event each, or of the newest one up to a position. */
const versionsOf = (sql: Sql, streams: string[], position?: number) => sql`array(
  select coalesce((
    select version from events where stream = s.name ${position === undefined ? sql`` : sql`and position <= ${position}`}
    order by version desc limit 1), 0)
  from unnest(${streams}::text[]) with ordinality as s (name, place) order by place)`

/**
 * The stored state of a session, in one query, as flushed to disk; `before` is its versions at a position of the log.
 */
export const readStoredRoom = async (sql: Sql, sessionId: string, position: number): Promise<StoredRoom> => {
  const streams = FOLLOWED.map((each) => each.of(sessionId))
  const [row] = await sql<Row[]>`
    select (select last_position from log_head) as head,
      ${versionsOf(sql, streams, position)} as before,
      ${versionsOf(sql, streams)} as now,
      ${pageVersionOf(sql, sessionId)} as "pageVersion",
      ${receiptsOf(sql, sessionId)} as receipts,
      (select data ->> 'to' from events where stream = ${chatAssignmentStreams.of(sessionId)}
        order by version desc limit 1) as assignee`
  if (!row) throw new Error('Postgres returned no row')
  await sql.durable.upTo(row.head)
  const byStream = (versions: number[]) => new Map(streams.map((stream, place) => [stream, versions[place] ?? 0]))
  return {
    before: byStream(row.before),
    now: byStream(row.now),
    activity: { receipts: receiptsFrom(row.receipts), pageVersion: row.pageVersion },
    assignee: row.assignee,
  }
}

/** The events of a session after some versions, in log order, and whether there may be more. */
export const readEventsAfter = async (
  sql: Sql,
  versions: Versions,
): Promise<{ events: LiveChatEvent[]; hasMore: boolean }> => {
  const parts = [...versions].map(([stream, after]) => ({ stream, after, limit: PAGE_EVENTS }))
  // each stream's part is whole up to the last of the first PAGE_EVENTS
  const found = (await readParts(sql, parts, 'oldest')).slice(0, PAGE_EVENTS)
  return { events: found as LiveChatEvent[], hasMore: found.length === PAGE_EVENTS }
}

/** Passes activities the data stored since their last update, so that they find what the bus has lost. */
export const refreshActivities = async (sql: Sql, activities: RoomActivity[]): Promise<void> => {
  const [receipts, pages] = await Promise.all([
    readReceipts(
      sql,
      activities.map(({ sessionId }) => sessionId),
    ),
    readPagesAfter(sql, new Map(activities.map(({ sessionId, pageVersion }) => [sessionId, pageVersion]))),
  ])
  for (const activity of activities) {
    const { sessionId } = activity
    activity.acceptStored({ receipts: receipts.get(sessionId) ?? NO_RECEIPTS, pages: pages.get(sessionId) ?? [] })
  }
}
