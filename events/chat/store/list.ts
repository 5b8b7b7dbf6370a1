import { searchedWords } from '../../lead/search/searched-text.ts'
import { hasTrigrams, likePattern } from '../../projections/like-pattern.ts'
import { schemaOf } from '../../projections/projection.ts'
import type { Sql } from '../../stores/connection.ts'
import { NO_RECEIPTS, type Receipts } from '../activity.ts'
import { chatAlertStreams } from '../alert.ts'
import { chatAssignmentStreams } from '../assignment.ts'
import { type ChatSession, messageStreams } from '../chat.ts'
import type { ChatProgress } from '../progress.ts'
import type { ChatScore } from '../rating.ts'
import { WAITS_UNREACHABLE_MS } from '../waiting.ts'
import { readReceipts } from './receipts.ts'
import { chatsProjection } from './view.ts'

const view = (sql: Sql) => sql(schemaOf(chatsProjection))

/**
 * How many chats at the beginning of a list are scanned one after the other. A term that fills no page there is so rare
 * that its trigrams lead to few chats.
 */
const NEAR_CHATS = 500

/**
 * A filter of chats: `assignedTo` is an account, or null for unassigned chats; each word of `q` is searched for in the
 * visitor's name and address and in the messages.
 */
export type ChatFilter = {
  state?: 'active' | 'ended' | undefined
  q?: string | undefined
  assignedTo?: string | null | undefined
}

/** The last chat of a page, from which the next page continues. */
export type ChatCursor = { timestamp: string; id: string }

/** A chat of the list. */
export type ListedChat = ChatSession &
  Pick<ChatProgress, 'lastSequence' | 'lastActivity' | 'leadId'> & { score: ChatScore | null } & { receipts: Receipts }

/** A chat counts as unassigned if its staff member's account was removed. */
const isAssignedTo = (sql: Sql, accountId: string | null) =>
  accountId === null
    ? sql`and not exists (select from staff where staff.id = assigned_to and removed_at is null)`
    : sql`and assigned_to = ${accountId}`

/** The condition that a text holds a word in one of its spellings. */
const fits = (sql: Sql, spellings: string[]) => sql`text like any(${spellings.map(likePattern)}::text[])`

/** A page of chats, the newest first. */
export const listChats = async (
  sql: Sql,
  { state, q, assignedTo }: ChatFilter,
  { limit, after }: { limit: number; after?: ChatCursor | undefined },
): Promise<ListedChat[]> => {
  const sessions = sql`${view(sql)}.sessions`
  const within = sql`
    ${state ? sql`${state === 'active' ? sql`is_active` : sql`not is_active`}` : sql`true`}
    ${assignedTo === undefined ? sql`` : isAssignedTo(sql, assignedTo)}
    ${after ? sql`and (started_at, id) < (${after.timestamp}::timestamptz, ${after.id}::uuid)` : sql``}`
  const newest = sql`order by started_at desc, id desc`

  const read = async (found: ReturnType<typeof sql>) => {
    const rows = await sql<{ session: ChatSession; progress: ChatProgress }[]>`
      select session, progress ${found} ${newest} limit ${limit}`
    const receipts = await readReceipts(
      sql,
      rows.map(({ session }) => session.sessionId),
    )
    return rows.map(({ session, progress: { lastSequence, lastActivity, leadId, rating } }) => ({
      ...session,
      lastSequence,
      lastActivity,
      receipts: receipts.get(session.sessionId) ?? NO_RECEIPTS,
      leadId,
      score: rating?.score ?? null,
    }))
  }

  const words = searchedWords(q ?? '')
  const [longest] = words
  if (!longest) return await read(sql`from ${sessions} where ${within}`)
  if (words.some((spellings) => spellings.length === 0)) return []
  // offset 0: chat by chat, instead of reading all that was ever said
  const matches = words
    .map(
      (spellings) => sql`exists (
        select from ${view(sql)}.said where session_id = chats.id and ${fits(sql, spellings)} offset 0)`,
    )
    .reduce((one, other) => sql`${one} and ${other}`)
  if (!longest.every(hasTrigrams)) return await read(sql`from ${sessions} chats where ${within} and ${matches}`)
  const near = await read(sql`
    from (select * from ${sessions} where ${within} ${newest} limit ${NEAR_CHATS}) chats where ${matches}`)
  if (near.length === limit) return near
  // one look-up per match: without statistics of these columns the planner expects far too many
  return await read(sql`
    from (select distinct session_id from ${view(sql)}.said where ${fits(sql, longest)}) found
    cross join lateral (select * from ${sessions} where id = session_id offset 0) chats
    where ${within} and ${matches}`)
}

/** How many of the newest chats are searched for a visitor's name: one look-up each. */
const NEWEST_CHATS = 2_000

/**
 * Among the NEWEST_CHATS, those whose visitor's name and address hold all words of a text, newest first, at most
 * `limit`.
 */
export const findChatsNamed = async (sql: Sql, q: string, limit: number): Promise<ChatSession[]> => {
  const words = searchedWords(q)
  if (words.length === 0) return []
  const matches = words.map((spellings) => fits(sql, spellings)).reduce((one, other) => sql`${one} and ${other}`)
  const rows = await sql<{ session: ChatSession }[]>`
    select session from (
      select id, session, started_at from ${view(sql)}.sessions order by started_at desc, id desc limit ${NEWEST_CHATS}
    ) newest
    where exists (
      select from ${view(sql)}.said
      where session_id = newest.id and sequence = 0 and ${matches} offset 0)
    order by started_at desc, id desc limit ${limit}`
  return rows.map(({ session }) => session)
}

/** The open chats without a message since a time, at most `limit`, the longest silent first. */
export const silentChats = async (sql: Sql, since: Date, limit: number): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    select id from ${view(sql)}.sessions where is_active and last_activity < ${since}
    order by last_activity limit ${limit}`
  return rows.map(({ id }) => id)
}

/**
 * The open chats whose newest message is the visitor's. Receipts do not count: a colleague who only reads leaves the
 * visitor waiting.
 */
const unrepliedTo = (sql: Sql) => sql`
  from ${view(sql)}.sessions
  where is_active
    and (progress -> 'lastSequence')::integer > coalesce((progress #>> '{lastAnswer,sequence}')::integer, 0)`

/** When visitors are counted, and which of the chats of `chatsToLookUp` have a connected visitor. */
export type WaitingAt = { now: Date; here: readonly string[] }

const silentSince = (now: Date) => new Date(now.getTime() - WAITS_UNREACHABLE_MS)

/** The condition of `stillWaits`. */
const stillWaiting = (sql: Sql, { now, here }: WaitingAt) =>
  sql`and (is_reachable or last_activity > ${silentSince(now)} or sessions.id = any(${here as string[]}::uuid[]))`

/**
 * The chats without a reply that wait only if their visitor is connected: they cannot be reached, and wrote half an hour
 * ago or earlier. At most `limit`, the newest messages first.
 */
export const chatsToLookUp = async (sql: Sql, now: Date, limit: number): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    select id ${unrepliedTo(sql)} and not is_reachable and last_activity <= ${silentSince(now)}
    order by last_activity desc limit ${limit}`
  return rows.map(({ id }) => id)
}

/** How many visitors wait for staff. */
export const countWaitingChats = async (sql: Sql, at: WaitingAt): Promise<number> => {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count ${unrepliedTo(sql)} ${stillWaiting(sql, at)}`
  return row?.count ?? 0
}

/** The open chats of a staff member, at most `limit`, newest first: the visitor's name by session id. */
export const activeChatsOf = async (sql: Sql, staffId: string, limit: number): Promise<Map<string, string>> => {
  const rows = await sql<{ session: ChatSession }[]>`
    select session from ${view(sql)}.sessions where is_active and assigned_to = ${staffId}
    order by started_at desc, id desc limit ${limit}`
  return new Map(rows.map(({ session: { sessionId, visitorName } }) => [sessionId, visitorName]))
}

/** A chat without a reply, and when its visitor first wrote, ISO 8601. */
export type UnansweredChat = { sessionId: string; visitorName: string; timestamp: string }

/**
 * The open chats without a reply, with the time of their visitor's first message and the assigned staff member, if that
 * account still exists.
 */
const unanswered = (sql: Sql, { join = sql`` } = {}) => sql`
  from ${view(sql)}.sessions
  cross join lateral (
    select recorded_at from events where stream = ${messageStreams.of('')} || sessions.id and version = 1 offset 0
  ) first
  left join staff holder on holder.id = assigned_to and holder.removed_at is null
  ${join}
  where is_active and progress -> 'lastAnswer' = 'null' and (progress -> 'lastSequence')::integer > 0`

/**
 * The chats without a first reply by a staff member: unassigned, or their own; at most `limit`, newest first. With `at`
 * only those that still wait.
 */
export const unansweredChatsFor = async (
  sql: Sql,
  staffId: string,
  limit: number,
  at?: WaitingAt,
): Promise<UnansweredChat[]> => {
  const rows = await sql<{ session: ChatSession; since: Date }[]>`
    select session, first.recorded_at as since ${unanswered(sql)} and (holder.id is null or holder.id = ${staffId})
      ${at ? stillWaiting(sql, at) : sql``}
    order by first.recorded_at desc limit ${limit}`
  return rows.map(({ session: { sessionId, visitorName }, since }) => ({
    sessionId,
    visitorName,
    timestamp: since.toISOString(),
  }))
}

/** A staff member to notify of chats whose visitor wrote from an instant on. */
type AlertedPerson = { id: string; since: Date }

/** The most chats that are examined to find one to notify a staff member of, the longest waiting first. */
const MAX_CANDIDATES = 100

/**
 * A staff member to notify: the chats that have waited longest, and the version of their stream of `chatAlertStreams`.
 */
export type StaffToAlert = { accountId: string; version: number; sessionIds: string[] }

/**
 * The staff members, of those given, to notify of unanswered chats: unassigned or their own, begun by the visitor
 * between two instants, and not in an earlier notification. Staff members notified later than `quietFrom` are left out.
 * A notification covers each chat that was theirs to reply to at that time; one that a colleague has released since is
 * news.
 */
export const staffToAlertOfChats = async (
  sql: Sql,
  { from, to, quietFrom, people }: { from: Date; to: Date; quietFrom: Date; people: readonly AlertedPerson[] },
): Promise<StaffToAlert[]> => sql`
  select person.id as "accountId", person.version,
    (array_agg(sessions.id order by first.recorded_at))[1:${MAX_CANDIDATES}] as "sessionIds"
  ${unanswered(sql, {
    join: sql`
      join (
        select asked.id, asked.since, told.recorded_at as told, coalesce(told.version, 0) as version
        from unnest(${people.map(({ id }) => id)}::uuid[], ${people.map(({ since }) => since.toISOString())}::timestamptz[]) asked (id, since)
        left join lateral (
          select recorded_at, version from events where stream = ${chatAlertStreams.of('')} || asked.id
          order by version desc limit 1
        ) told on true
        where told.recorded_at is null or told.recorded_at <= ${quietFrom}
      ) person on person.since <= first.recorded_at and (holder.id is null or holder.id = person.id)`,
  })} and first.recorded_at between ${from} and ${to} and (person.told is null or person.told < greatest(
    first.recorded_at,
    (select removed_at from staff gone where gone.id = assigned_to),
    (
      select max(recorded_at) from (
        select recorded_at, lag(data ->> 'to') over (order by version) as before
        from events where stream = ${chatAssignmentStreams.of('')} || sessions.id
      ) assigned where before <> person.id::text
    )
  ))
  group by person.id, person.version order by person.id`

/** The chats whose visitors wait, at most `limit`, the one with the oldest last message first. */
export const waitingChats = async (sql: Sql, limit: number, at: WaitingAt): Promise<ChatSession[]> => {
  const rows = await sql<{ session: ChatSession }[]>`
    select session ${unrepliedTo(sql)} ${stillWaiting(sql, at)} order by last_activity limit ${limit}`
  return rows.map(({ session }) => session)
}

/**
 * The chats whose visitor gave an address and has not seen the last reply, of this time; at most `limit`, oldest first.
 */
export const unreadChats = async (
  sql: Sql,
  { from, to }: { from: Date; to: Date },
  limit: number,
): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    select id from ${view(sql)}.sessions where unread_since >= ${from} and unread_since < ${to}
      and not exists (
        select from chat_receipts
        where session_id = id and party = 'visitor' and seen >= (progress #>> '{lastAnswer,sequence}')::integer
      )
    order by unread_since limit ${limit}`
  return rows.map(({ id }) => id)
}
