import type { AnyRecordedEvent } from '../catalogue.ts'
import { type ChatSession, type ChatSessionEvent, evolveChatSession, sessionIdOf } from '../chat.ts'
import type { Sql } from '../log/connection.ts'
import { type Queryable, readTail } from '../log/read.ts'
import { type Projection, schemaOf } from './projection.ts'

const VIEW = schemaOf('chats')

const tables = (schema: string) => `
  create table ${schema}.sessions (
    id uuid primary key,
    started_at timestamptz not null,
    is_active boolean not null,
    session jsonb not null
  );
`

const indexes = (schema: string) => `
  create index on ${schema}.sessions (started_at desc) where is_active;
`

const isSessionEvent = (event: AnyRecordedEvent): event is ChatSessionEvent & AnyRecordedEvent =>
  event.type === 'ChatStarted' || event.type === 'ChatEnded'

/** Folds events into the sessions that they are about. */
const evolveSessions = (sessions: Map<string, ChatSession>, events: AnyRecordedEvent[]) => {
  for (const event of events.filter(isSessionEvent)) {
    const id = sessionIdOf(event.stream)
    const session = evolveChatSession(sessions.get(id), event)
    if (session) sessions.set(id, session)
  }
  return sessions
}

const apply = async (tx: Queryable, schema: string, events: AnyRecordedEvent[]) => {
  const ids = [...new Set(events.filter(isSessionEvent).map(({ stream }) => sessionIdOf(stream)))]
  if (ids.length === 0) return
  const stored = await tx<{ id: string; session: ChatSession }[]>`
    select id, session from ${tx(schema)}.sessions where id in ${tx(ids)}`
  const sessions = evolveSessions(new Map(stored.map(({ id, session }) => [id, session])), events)
  const rows = [...sessions].map(([id, session]) => ({
    id,
    started_at: session.startTime,
    is_active: session.isActive,
    session,
  }))
  await tx`
    insert into ${tx(schema)}.sessions (id, started_at, is_active, session)
    select id, started_at, is_active, session
    from jsonb_populate_recordset(null::${tx(schema)}.sessions, ${tx.json(rows)}::jsonb)
    on conflict (id) do update set is_active = excluded.is_active, session = excluded.session`
}

/** All chat sessions, for staff. Their messages are read from the log, by session. */
export const chatsProjection: Projection = { name: 'chats', version: 1, tables, indexes, apply }

/**
 * The sessions that are going on, newest first, up to the log's last event: what the view has not reached yet is folded
 * in, so that nobody who joins now misses a session.
 */
export const activeSessions = async (sql: Sql): Promise<ChatSession[]> => {
  const [checkpoint] = await sql<{ position: number }[]>`select position from checkpoints where consumer = 'chats'`
  const rows = await sql<{ session: ChatSession }[]>`select session from ${sql(VIEW)}.sessions where is_active`
  const tail = await readTail(sql, checkpoint?.position ?? 0, ['ChatStarted', 'ChatEnded'])
  const sessions = evolveSessions(new Map(rows.map(({ session }) => [session.sessionId, session])), tail)
  return [...sessions.values()]
    .filter(({ isActive }) => isActive)
    .sort((a, b) => b.startTime.localeCompare(a.startTime))
}
