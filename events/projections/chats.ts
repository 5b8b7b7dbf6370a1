import type { AnyRecordedEvent } from '../catalogue.ts'
import { type ChatSession, type ChatSessionEvent, erasedSession, evolveChatSession, sessionIdOf } from '../chat.ts'
import type { chatErased } from '../chat-desk.ts'
import type { RecordedEvent } from '../definition.ts'
import type { Sql } from '../log/connection.ts'
import { type Queryable, readTail } from '../log/read.ts'
import { emailKey } from '../person.ts'
import { type Projection, schemaOf } from './projection.ts'

const VIEW = schemaOf('chats')

const tables = (schema: string) => `
  create table ${schema}.sessions (
    id uuid primary key,
    started_at timestamptz not null,
    is_active boolean not null,
    email_key text,
    lead_id uuid,
    session jsonb not null
  );
`

const indexes = (schema: string) => `
  create index on ${schema}.sessions (started_at desc) where is_active;
  create index on ${schema}.sessions (email_key) where email_key is not null;
  create index on ${schema}.sessions (lead_id) where lead_id is not null;
`

type SessionEvent = ChatSessionEvent | RecordedEvent<typeof chatErased>

const SESSION_EVENTS: SessionEvent['type'][] = ['ChatStarted', 'ChatEnded', 'ChatErased']

const isSessionEvent = (event: AnyRecordedEvent): event is SessionEvent & AnyRecordedEvent =>
  SESSION_EVENTS.some((type) => type === event.type)

const evolveSession = (session: ChatSession | undefined, event: SessionEvent) => {
  if (event.type === 'ChatErased') return session && erasedSession(session)
  return evolveChatSession(session, event)
}

/** Folds events into the sessions that they are about. */
const evolveSessions = (sessions: Map<string, ChatSession>, events: AnyRecordedEvent[]) => {
  for (const event of events.filter(isSessionEvent)) {
    const id = sessionIdOf(event.stream)
    const session = evolveSession(sessions.get(id), event)
    if (session) sessions.set(id, session)
  }
  return sessions
}

const noteLeads = async (tx: Queryable, schema: string, events: AnyRecordedEvent[]) => {
  const leads = events.filter((event) => event.type === 'ChatBecameLead')
  if (leads.length === 0) return
  await tx`
    update ${tx(schema)}.sessions set lead_id = became.lead_id
    from unnest(
      ${leads.map(({ stream }) => sessionIdOf(stream))}::uuid[], ${leads.map(({ data }) => data.leadId)}::uuid[]
    ) as became (id, lead_id)
    where sessions.id = became.id`
}

const applySessions = async (tx: Queryable, schema: string, events: AnyRecordedEvent[]) => {
  const ids = [...new Set(events.filter(isSessionEvent).map(({ stream }) => sessionIdOf(stream)))]
  if (ids.length === 0) return
  const stored = await tx<{ id: string; session: ChatSession }[]>`
    select id, session from ${tx(schema)}.sessions where id in ${tx(ids)}`
  const sessions = evolveSessions(new Map(stored.map(({ id, session }) => [id, session])), events)
  const rows = [...sessions].map(([id, session]) => ({
    id,
    started_at: session.startTime,
    is_active: session.isActive,
    email_key: emailKey(session.visitorEmail),
    session,
  }))
  await tx`
    insert into ${tx(schema)}.sessions (id, started_at, is_active, email_key, session)
    select id, started_at, is_active, email_key, session
    from jsonb_populate_recordset(null::${tx(schema)}.sessions, ${tx.json(rows)}::jsonb)
    on conflict (id) do update
    set is_active = excluded.is_active, email_key = excluded.email_key, session = excluded.session`
}

const apply = async (tx: Queryable, schema: string, events: AnyRecordedEvent[]) => {
  await applySessions(tx, schema, events)
  await noteLeads(tx, schema, events)
}

/** All chat sessions, for staff. Their messages are read from the log, by session. */
export const chatsProjection: Projection = { name: 'chats', version: 2, tables, indexes, apply }

/**
 * The sessions that are going on, newest first, up to the log's last event: what the view has not reached yet is folded
 * in, so that nobody who joins now misses a session.
 */
export const activeSessions = async (sql: Sql): Promise<ChatSession[]> => {
  const [checkpoint] = await sql<{ position: number }[]>`select position from checkpoints where consumer = 'chats'`
  const rows = await sql<{ session: ChatSession }[]>`select session from ${sql(VIEW)}.sessions where is_active`
  const tail = await readTail(sql, checkpoint?.position ?? 0, SESSION_EVENTS)
  const sessions = evolveSessions(new Map(rows.map(({ session }) => [session.sessionId, session])), tail)
  return [...sessions.values()]
    .filter(({ isActive }) => isActive)
    .sort((a, b) => b.startTime.localeCompare(a.startTime))
}
