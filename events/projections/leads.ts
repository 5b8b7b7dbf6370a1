import type { AnyRecordedEvent } from '../catalogue.ts'
import { evolveLead, LEAD_FORM_TYPE, type Lead, type LeadEvent, leadIdOf } from '../lead.ts'
import type { Sql } from '../log/connection.ts'
import type { Queryable } from '../log/read.ts'
import { emailKey, phoneKey } from '../person.ts'
import { type Projection, schemaOf } from './projection.ts'

/** The channel of the bus on which a worker tells that the leads view has changed. Its messages say nothing more. */
export const LEADS_CHANNEL = 'view:leads'

const VIEW = schemaOf('leads')

/** Read from the lead itself, so that a view of an older version, which knows no suspects, still answers. */
const IS_SUSPECT = `jsonb_typeof(lead -> 'suspicion') is not distinct from 'array'`

const tables = (schema: string) => `
  create table ${schema}.leads (
    id uuid primary key,
    submitted_at timestamptz not null,
    changed_position bigint not null,
    email_key text,
    phone_key text,
    search text not null,
    lead jsonb not null
  );
`

const indexes = (schema: string) => `
  create index on ${schema}.leads (submitted_at desc, id desc);
  create index on ${schema}.leads (changed_position);
  create index on ${schema}.leads (email_key);
  create index on ${schema}.leads (phone_key);
  create index on ${schema}.leads (submitted_at desc, id desc) where ${IS_SUSPECT};
`

const isLeadEvent = (event: AnyRecordedEvent): event is LeadEvent & AnyRecordedEvent =>
  leadIdOf(event.stream) !== undefined

/** What the dashboard's search looks through, in lower case (specification, 5). */
const searchText = ({ name, businessName, email, phone, company }: Lead) =>
  [name, businessName, email, phone, company, LEAD_FORM_TYPE].filter(Boolean).join('\n').toLowerCase()

const storedLeads = async (tx: Queryable, schema: string, ids: string[]) => {
  if (ids.length === 0) return []
  return await tx<{ id: string; lead: Lead }[]>`select id, lead from ${tx(schema)}.leads where id in ${tx(ids)}`
}

const apply = async (tx: Queryable, schema: string, events: AnyRecordedEvent[]) => {
  const streams = Map.groupBy(events.filter(isLeadEvent), ({ stream }) => stream)
  const begun = [...streams.values()].flatMap(([first]) =>
    first && first.version > 1 ? [leadIdOf(first.stream) ?? ''] : [],
  )
  const stored = new Map((await storedLeads(tx, schema, begun)).map(({ id, lead }) => [id, lead]))
  const rows = [...streams].flatMap(([stream, changes]) => {
    const lead = changes.reduce<Lead | undefined>(evolveLead, stored.get(leadIdOf(stream) ?? ''))
    if (!lead) return []
    return {
      id: lead.id,
      submitted_at: lead.timestamp,
      changed_position: changes.at(-1)?.position,
      email_key: emailKey(lead.email),
      phone_key: phoneKey(lead.phone),
      search: searchText(lead),
      lead,
    }
  })
  if (rows.length === 0) return
  await tx`
    insert into ${tx(schema)}.leads (id, submitted_at, changed_position, email_key, phone_key, search, lead)
    select id, submitted_at, changed_position, email_key, phone_key, search, lead
    from jsonb_populate_recordset(null::${tx(schema)}.leads, ${tx.json(rows)}::jsonb)
    on conflict (id) do update
    set changed_position = excluded.changed_position, email_key = excluded.email_key, phone_key = excluded.phone_key,
      search = excluded.search, lead = excluded.lead`
}

/** All leads as they stand now, for staff. */
export const leadsProjection: Projection = { name: 'leads', version: 4, tables, indexes, apply }

/**
 * Which leads are wanted. `from` and `to` bound the time of submission, half-open; `q` is searched for in lower case;
 * `quarantine` asks for the suspects alone, which are kept out otherwise.
 */
export type LeadFilter = { from?: Date; to?: Date; q?: string; quarantine?: boolean }

/** The last lead of a page: where the next one goes on. */
export type LeadCursor = { timestamp: string; id: string }

const likePattern = (q: string) => `%${q.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`

const matching = (sql: Sql, { from, to, q, quarantine = false }: LeadFilter) => sql`
  where ${quarantine ? sql.unsafe(IS_SUSPECT) : sql.unsafe(`not (${IS_SUSPECT})`)}
    ${from ? sql`and submitted_at >= ${from}` : sql``}
    ${to ? sql`and submitted_at < ${to}` : sql``}
    ${q ? sql`and search like ${likePattern(q)}` : sql``}`

/** How many leads there are on each day of Africa/Johannesburg (yyyy-mm-dd) that has any, newest day first. */
export const countLeads = (sql: Sql, filter: LeadFilter): Promise<{ day: string; count: number }[]> =>
  sql<{ day: string; count: number }[]>`
    select to_char(submitted_at at time zone 'Africa/Johannesburg', 'YYYY-MM-DD') as day, count(*) as count
    from ${sql(VIEW)}.leads ${matching(sql, filter)}
    group by day order by day desc`

/** A page of leads in the order of their submission. */
export const listLeads = async (
  sql: Sql,
  { sort, ...filter }: LeadFilter & { sort: 'asc' | 'desc' },
  { limit, after, offset = 0 }: { limit: number; after?: LeadCursor | undefined; offset?: number },
): Promise<Lead[]> => {
  const order = sort === 'asc' ? sql`asc` : sql`desc`
  const beyond = sort === 'asc' ? sql`>` : sql`<`
  const rows = await sql<{ lead: Lead }[]>`
    select lead from ${sql(VIEW)}.leads ${matching(sql, filter)}
      ${after ? sql`and (submitted_at, id) ${beyond} (${after.timestamp}::timestamptz, ${after.id}::uuid)` : sql``}
    order by submitted_at ${order}, id ${order}
    limit ${limit} offset ${offset}`
  return rows.map(({ lead }) => lead)
}

/** The leads, suspects left out, that changed after a position of the log, in the order in which they changed. */
export const changedLeads = (sql: Sql, after: number, limit: number): Promise<{ position: number; lead: Lead }[]> =>
  sql<{ position: number; lead: Lead }[]>`
    select changed_position as position, lead from ${sql(VIEW)}.leads
    where changed_position > ${after} and not (${sql.unsafe(IS_SUSPECT)}) order by changed_position limit ${limit}`

/** The position of the log that the view has reached. */
export const leadsPosition = async (sql: Sql): Promise<number> => {
  const [row] = await sql<{ position: number }[]>`select position from checkpoints where consumer = 'leads'`
  return row?.position ?? 0
}
