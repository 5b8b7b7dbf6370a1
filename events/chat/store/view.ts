import * as v from 'valibot'
import { emailKey } from '../../base/address.ts'
import { phoneKey, phoneKeys } from '../../base/phone.ts'
import { requiredEmail } from '../../base/text.ts'
import type { AnyRecordedEvent } from '../../catalogue.ts'
import { numbersIn, searchedLines } from '../../lead/search/searched-text.ts'
import { readPosition } from '../../log/checkpoints.ts'
import { type Queryable, readTail } from '../../log/read.ts'
import { type Projection, schemaOf } from '../../projections/projection.ts'
import { TRIGRAMS } from '../../projections/trigrams.ts'
import type { Sql } from '../../stores/connection.ts'
import { type ChatSession, sessionIdOf } from '../chat.ts'
import {
  type ChatEvent,
  type ChatProgress,
  type ChatSummary,
  evolveChat,
  evolveSession,
  SESSION_EVENTS,
  unreadAnswers,
} from '../progress.ts'
import { isReachable } from '../visitor-contact.ts'

/** The types of events that change a chat as staff see it in lists. */
const CHAT_EVENTS = [
  'ChatStarted',
  'ChatMessagePosted',
  'ChatEnded',
  'ChatAnswersUnread',
  'ChatBecameLead',
  'ChatEmailGiven',
  'ChatAssigned',
  'ChatRated',
  'ChatErased',
] as const satisfies ChatEvent['type'][]

/**
 * Many write at once, and they do not wait for the list: it folds in together the events that come within this time.
 */
const WAKE_EVERY_MS = 100

/**
 * `said` is searched by staff: the messages of a chat and, as number 0, the visitor's name, address and number.
 * `addresses` holds all that a chat has ever had, so that a person's erasure also finds it by an address that was
 * corrected later; `phones` holds its number. They are apart from `sessions`, which every message updates. Postgres collects no statistics of personal columns:
 * they would store messages in a catalogue table.
 */
const tables = (schema: string) => `
  create table ${schema}.sessions (
    id uuid primary key,
    started_at timestamptz not null,
    is_active boolean not null,
    lead_id uuid,
    assigned_to uuid,
    is_reachable boolean not null,
    last_activity timestamptz not null,
    unread_since timestamptz,
    session jsonb not null,
    progress jsonb not null
  );
  create table ${schema}.said (
    session_id uuid not null,
    sequence integer not null,
    text text not null,
    primary key (session_id, sequence)
  );
  create table ${schema}.addresses (
    email_key text not null,
    session_id uuid not null,
    primary key (email_key, session_id)
  );
  create table ${schema}.phones (
    phone_key text not null,
    session_id uuid not null,
    primary key (phone_key, session_id)
  );
  alter table ${schema}.sessions alter session set statistics 0, alter progress set statistics 0;
  alter table ${schema}.said alter text set statistics 0;
  alter table ${schema}.addresses alter email_key set statistics 0;
  alter table ${schema}.phones alter phone_key set statistics 0;
`

const indexes = (schema: string) => `
  create index on ${schema}.sessions (started_at desc, id desc);
  create index on ${schema}.sessions (started_at desc, id desc) where is_active;
  create index on ${schema}.sessions (assigned_to, started_at desc, id desc) where is_active;
  create index on ${schema}.sessions (last_activity) where is_active;
  create index on ${schema}.sessions (unread_since) where unread_since is not null;
  create index on ${schema}.sessions (lead_id) where lead_id is not null;
  create index on ${schema}.addresses (session_id);
  create index on ${schema}.phones (session_id);
  create index on ${schema}.said using gin (text gin_trgm_ops) ${TRIGRAMS};
`

/** An event of a chat that is not erased, and the chat after all of them. */
type EventOfChat = { id: string; event: ChatEvent; chat: ChatSummary }

type StoredChat = { id: string; session: ChatSession; progress: ChatProgress }

const isChatEvent = (event: AnyRecordedEvent): event is ChatEvent & AnyRecordedEvent => event.type.startsWith('Chat')

const address = requiredEmail('An address to send to')

/** Visitors may enter anything as their address. */
const canBeWrittenTo = ({ visitorEmail }: ChatSession) => v.is(address, visitorEmail)

/** The chats of these events, after them. */
const evolveChats = async (tx: Queryable, schema: string, events: ChatEvent[]) => {
  const ids = [...new Set(events.map(({ stream }) => sessionIdOf(stream)))]
  const stored = await tx<StoredChat[]>`
    select id, session, progress from ${tx(schema)}.sessions where id in ${tx(ids)}`
  const chats = new Map<string, ChatSummary>(stored.map(({ id, ...chat }) => [id, chat]))
  for (const event of events) {
    const id = sessionIdOf(event.stream)
    const chat = evolveChat(chats.get(id), event)
    if (chat) chats.set(id, chat)
  }
  return chats
}

const writeSessions = (tx: Queryable, schema: string, chats: ReadonlyMap<string, ChatSummary>) => {
  const rows = [...chats].map(([id, { session, progress }]) => ({
    id,
    started_at: session.startTime,
    is_active: session.isActive,
    lead_id: progress.leadId,
    assigned_to: progress.assignedTo,
    is_reachable: isReachable(session),
    last_activity: progress.lastActivity,
    unread_since: canBeWrittenTo(session) ? unreadAnswers(progress, 0)?.since : null,
    session,
    progress,
  }))
  return tx`
    insert into ${tx(schema)}.sessions
    select * from jsonb_populate_recordset(null::${tx(schema)}.sessions, ${tx.json(rows)}::jsonb)
    on conflict (id) do update set
      is_active = excluded.is_active, lead_id = excluded.lead_id, assigned_to = excluded.assigned_to,
      is_reachable = excluded.is_reachable,
      last_activity = excluded.last_activity, unread_since = excluded.unread_since, session = excluded.session,
      progress = excluded.progress`
}

const holdsAddress = (event: ChatEvent) => event.type === 'ChatStarted' || event.type === 'ChatEmailGiven'

/** The searchable text that an event adds; none once the chat is erased. */
const textOf = (event: ChatEvent, { session }: ChatSummary): { sequence: number; text: string } | undefined => {
  if (holdsAddress(event) && event.personal) {
    const { visitorName, visitorEmail, visitorPhone = '' } = session
    const fields = [visitorName, visitorEmail, visitorPhone, ...phoneKeys(visitorPhone)]
    return { sequence: 0, text: searchedLines(fields) }
  }
  if (event.type === 'ChatMessagePosted' && event.personal) {
    const { message } = event.personal
    return { sequence: event.version, text: searchedLines([message, ...numbersIn(message)]) }
  }
  return undefined
}

const writeMessageTexts = (tx: Queryable, schema: string, chatEvents: EventOfChat[]) => {
  const texts = chatEvents.flatMap(({ id, event, chat }) => {
    const added = textOf(event, chat)
    return added ? [{ session_id: id, sequence: added.sequence, text: added.text }] : []
  })
  if (texts.length === 0) return []
  return [
    tx`
      insert into ${tx(schema)}.said
      select distinct on (session_id, sequence) *
      from jsonb_populate_recordset(null::${tx(schema)}.said, ${tx.json(texts)}::jsonb)
      on conflict (session_id, sequence) do update set text = excluded.text`,
  ]
}

/** Stores one key of each event's visitor, in a table and column of that name, if they have one. */
const writeKeys = (
  tx: Queryable,
  schema: string,
  chatEvents: EventOfChat[],
  { table, column, keyOf }: { table: string; column: string; keyOf: (event: ChatEvent) => string | null | undefined },
) => {
  const keys = chatEvents.flatMap(({ id, event }) => {
    const key = keyOf(event)
    return key ? [{ [column]: key, session_id: id }] : []
  })
  if (keys.length === 0) return []
  return [
    tx`
      insert into ${tx(schema)}.${tx(table)}
      select * from jsonb_populate_recordset(null::${tx(schema)}.${tx(table)}, ${tx.json(keys)}::jsonb)
      on conflict do nothing`,
  ]
}

const ADDRESSES = {
  table: 'addresses',
  column: 'email_key',
  keyOf: (event: ChatEvent) => (holdsAddress(event) ? emailKey(event.personal?.visitorEmail ?? null) : null),
}

const PHONES = {
  table: 'phones',
  column: 'phone_key',
  keyOf: (event: ChatEvent) => (event.type === 'ChatStarted' ? phoneKey(event.personal?.visitorPhone ?? '') : null),
}

/** Deletes the texts of an erased chat, and skips those of events that were still being processed. */
const writeSearched = (tx: Queryable, schema: string, events: ChatEvent[], chats: ReadonlyMap<string, ChatSummary>) => {
  const erased = [...chats].flatMap(([id, { progress }]) => (progress.isErased ? [id] : []))
  const chatEvents = events.flatMap((event): EventOfChat[] => {
    const id = sessionIdOf(event.stream)
    const chat = chats.get(id)
    return chat && !chat.progress.isErased ? [{ id, event, chat }] : []
  })
  const deleteFrom = (table: string) =>
    tx`delete from ${tx(schema)}.${tx(table)} where session_id = any(${erased}::uuid[])`
  return [
    ...(erased.length > 0 ? ['said', 'addresses', 'phones'].map(deleteFrom) : []),
    ...writeMessageTexts(tx, schema, chatEvents),
    ...writeKeys(tx, schema, chatEvents, ADDRESSES),
    ...writeKeys(tx, schema, chatEvents, PHONES),
  ]
}

const apply = async (tx: Queryable, schema: string, events: AnyRecordedEvent[]) => {
  const ofChats = events.filter(isChatEvent)
  if (ofChats.length === 0) return []
  const chats = await evolveChats(tx, schema, ofChats)
  return [writeSessions(tx, schema, chats), ...writeSearched(tx, schema, ofChats, chats)]
}

/**
 * All chat sessions, for staff, with the searchable part of the messages. Messages are read from the log, by session,
 * and receipts from their own table: `unread_since` is the time since when a reply has had no message after it, seen or
 * not.
 */
export const chatsProjection: Projection = {
  name: 'chats',
  version: 1,
  types: CHAT_EVENTS,
  wakeEveryMs: WAKE_EVERY_MS,
  tables,
  indexes,
  apply,
}

/** How many events after the view's checkpoint are read: if the view is further behind, older ones are late. */
const TAIL_EVENTS = 1_000

/**
 * The newest open sessions, at most `limit`, then the open ones among `listed`, up to the log's last event: events
 * after the view's checkpoint are folded in, so that a console that joins now misses no session.
 */
export const activeSessions = async (
  sql: Sql,
  limit: number,
  listed: readonly string[] = [],
): Promise<ChatSession[]> => {
  const tail = await readTail(sql, await readPosition(sql, chatsProjection), SESSION_EVENTS, { limit: TAIL_EVENTS })
  const ended = tail.filter(({ type }) => type === 'ChatEnded').length
  const view = sql`${sql(schemaOf(chatsProjection))}.sessions`
  const rows = await sql<{ session: ChatSession }[]>`
    (select session from ${view} where is_active order by started_at desc, id desc limit ${limit + ended})
    union all (select session from ${view} where is_active and id = any(${listed as string[]}::uuid[]))`
  const sessions = new Map(rows.map(({ session }) => [session.sessionId, session]))
  for (const event of tail) {
    const id = sessionIdOf(event.stream)
    const session = evolveSession(sessions.get(id), event)
    if (session) sessions.set(id, session)
  }
  const isListed = new Set(listed)
  return [...sessions.values()]
    .filter(({ isActive }) => isActive)
    .sort((a, b) => b.startTime.localeCompare(a.startTime))
    .filter(({ sessionId }, place) => place < limit || isListed.has(sessionId))
}

/** The number of open sessions at the view's checkpoint. */
export const countActive = async (sql: Sql): Promise<number> => {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from ${sql(schemaOf(chatsProjection))}.sessions where is_active`
  return row?.count ?? 0
}
