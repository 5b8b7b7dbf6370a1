import { searchedWords } from '../../lead/searched-text.ts'
import { hasTrigrams, likePattern } from '../../projections/like-pattern.ts'
import { schemaOf } from '../../projections/projection.ts'
import type { Sql } from '../../stores/connection.ts'
import { NO_RECEIPTS, type Receipts } from '../activity.ts'
import { chatAlertStreams } from '../alert.ts'
import { chatAssignmentStreams } from '../assignment.ts'
import { type ChatSession, messageStreams } from '../chat.ts'
import type { ChatScore } from '../rating.ts'
import type { ChatProgress } from '../summary.ts'
import { readReceipts } from './receipts.ts'
import { chatsProjection } from './view.ts'

const view = (sql: Sql) => sql(schemaOf(chatsProjection))

/**
 * How many chats, from the beginning of a list, are looked through one after the other. A term that fills no page there is
 * so rare that its trigrams lead to few chats.
 */
const NEAR_CHATS = 500

/**
 * Which chats are wanted: of `assignedTo` those of an account, null for nobody's; of `q` each word is searched for in the
 * visitor's name and address and in what was said.
 */
export type ChatFilter = {
  state?: 'active' | 'ended' | undefined
  q?: string | undefined
  assignedTo?: string | null | undefined
}

/** The last chat of a page: where the next one goes on. */
export type ChatCursor = { timestamp: string; id: string }

/** A chat of the list. */
export type ListedChat = ChatSession &
  Pick<ChatProgress, 'lastSequence' | 'lastActivity' | 'leadId'> & { score: ChatScore | null } & { receipts: Receipts }

/** A chat of somebody whose account was removed is nobody's. */
const isAssignedTo = (sql: Sql, accountId: string | null) =>
  accountId === null
    ? sql`and not exists (select from staff where staff.id = assigned_to and removed_at is null)`
    : sql`and assigned_to = ${accountId}`

/** That a text holds a word, in one of its spellings. */
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
  // one look-up for each that is found: without statistics of these columns the planner expects far too many
  return await read(sql`
    from (select distinct session_id from ${view(sql)}.said where ${fits(sql, longest)}) found
    cross join lateral (select * from ${sessions} where id = session_id offset 0) chats
    where ${within} and ${matches}`)
}

/** How many of the newest chats are looked through for a visitor's name: one look-up each. */
const NEWEST_CHATS = 2_000

/** The newest chats whose visitor's name and address hold all words of a text, of the NEWEST_CHATS, at most `limit`. */
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

/** The chats that go on though nobody has written since a time, at most `limit`, the longest silent first. */
export const silentChats = async (sql: Sql, since: Date, limit: number): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    select id from ${view(sql)}.sessions where is_active and last_activity < ${since}
    order by last_activity limit ${limit}`
  return rows.map(({ id }) => id)
}

/**
 * The chats that go on and wait for staff: the newest message is the visitor's. Who has seen it does not count: a
 * colleague who only looks leaves the visitor waiting.
 */
const waiting = (sql: Sql) => sql`
  from ${view(sql)}.sessions
  where is_active
    and (progress -> 'lastSequence')::integer > coalesce((progress #>> '{lastAnswer,sequence}')::integer, 0)`

/** How many visitors wait for staff. */
export const countWaitingChats = async (sql: Sql): Promise<number> => {
  const [row] = await sql<{ count: number }[]>`select count(*)::integer as count ${waiting(sql)}`
  return row?.count ?? 0
}

/** The chats that go on and are somebody's, at most `limit`, the newest first: the visitor's name by session id. */
export const activeChatsOf = async (sql: Sql, staffId: string, limit: number): Promise<Map<string, string>> => {
  const rows = await sql<{ session: ChatSession }[]>`
    select session from ${view(sql)}.sessions where is_active and assigned_to = ${staffId}
    order by started_at desc, id desc limit ${limit}`
  return new Map(rows.map(({ session: { sessionId, visitorName } }) => [sessionId, visitorName]))
}

/** A chat that nobody has answered, and when its visitor first wrote, ISO 8601. */
export type UnansweredChat = { sessionId: string; visitorName: string; timestamp: string }

/**
 * The chats that go on and that nobody has answered, with when their visitor first wrote, and their holder: the member of
 * staff whose they are, where that one is still there.
 */
const unanswered = (sql: Sql, { join = sql`` } = {}) => sql`
  from ${view(sql)}.sessions
  cross join lateral (
    select recorded_at from events where stream = ${messageStreams.of('')} || sessions.id and version = 1 offset 0
  ) first
  left join staff holder on holder.id = assigned_to and holder.removed_at is null
  ${join}
  where is_active and progress -> 'lastAnswer' = 'null' and (progress -> 'lastSequence')::integer > 0`

/** The chats that wait for a first answer by somebody: nobody's, and their own; at most `limit`, the newest first. */
export const unansweredChatsFor = async (sql: Sql, staffId: string, limit: number): Promise<UnansweredChat[]> => {
  const rows = await sql<{ session: ChatSession; since: Date }[]>`
    select session, first.recorded_at as since ${unanswered(sql)} and (holder.id is null or holder.id = ${staffId})
    order by first.recorded_at desc limit ${limit}`
  return rows.map(({ session: { sessionId, visitorName }, since }) => ({
    sessionId,
    visitorName,
    timestamp: since.toISOString(),
  }))
}

/** Somebody who is told of chats whose visitor wrote from an instant on. */
type Told = { id: string; since: Date }

/** The most chats that are looked at to find one to tell somebody of, those that have waited longest first. */
const MAX_CANDIDATES = 100

/** Somebody to tell of chats: those that have waited longest, and the version of their stream of `chatAlertStreams`. */
export type ToTell = { accountId: string; version: number; sessionIds: string[] }

/**
 * Those of these people for whom an unanswered chat waits that they were not told of, and that its visitor began between
 * two instants: nobody's, or their own. Who was told later than `quietFrom` is left alone. One who was told knows of each
 * chat that was theirs to answer then; one that a colleague has let go since is news.
 */
export const staffToTellOfChats = async (
  sql: Sql,
  { from, to, quietFrom, people }: { from: Date; to: Date; quietFrom: Date; people: readonly Told[] },
): Promise<ToTell[]> => sql`
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

/** The chats of those who wait, at most `limit`, the one in which nobody has written for longest first. */
export const waitingChats = async (sql: Sql, limit: number): Promise<ChatSession[]> => {
  const rows = await sql<{ session: ChatSession }[]>`
    select session ${waiting(sql)} order by last_activity limit ${limit}`
  return rows.map(({ session }) => session)
}

/**
 * The chats whose visitor gave an address and has not seen the last answer, of this time; at most `limit`, the oldest
 * first.
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
