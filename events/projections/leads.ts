import type { AnyRecordedEvent } from '../catalogue.ts'
import { evolveLead, isLeadEvent, type Lead, type LeadEvent, leadIdOf } from '../lead.ts'
import { kindOfLead } from '../lead-kind.ts'
import { readPosition } from '../log/checkpoints.ts'
import type { Sql } from '../log/connection.ts'
import type { Queryable } from '../log/read.ts'
import { emailKey, phoneKey } from '../person.ts'
import { searchedText } from '../searched-lead.ts'
import { isErased } from '../wire/lead.ts'
import { type Projection, schemaOf } from './projection.ts'
import { TRIGRAMS } from './trigrams.ts'

/** The channel of the bus on which a worker tells that the leads view has changed. Its messages say nothing more. */
export const LEADS_CHANNEL = 'view:leads'

/** All types of LeadEvent; what staff note counts too, for it raises the version of the lead's stream. */
export const LEAD_EVENTS = Object.keys({
  LeadSubmitted: true,
  WebsiteInfoSubmitted: true,
  LeadEntered: true,
  LeadReleased: true,
  LeadFollowUpChanged: true,
  LeadNoteAdded: true,
  LeadNoteRemoved: true,
  LeadErased: true,
  LeadWithdrawn: true,
  EmailForwarded: true,
  EmailForwardFailed: true,
  EmailResendRequested: true,
} satisfies Record<LeadEvent['type'], true>) as LeadEvent['type'][]

/** The owner of a lead that has none: an index finds it in the order of submission, as it does not for null. */
export const NOBODY = '00000000-0000-0000-0000-000000000000'

/**
 * Lists, searches and counts read `entries`, which is narrow, and which no email and no note changes: its trigrams are
 * dear to write. `position` is that of the event which began the lead. Of personal columns Postgres takes no
 * statistics: they would keep names and addresses in a catalogue table, also of people who were erased.
 */
const tables = (schema: string) => `
  create table ${schema}.leads (
    id uuid primary key,
    position bigint not null,
    changed_position bigint not null,
    is_suspect boolean not null,
    email_key text,
    phone_key text,
    lead json not null
  );
  create table ${schema}.entries (
    position bigint primary key,
    id uuid not null,
    submitted_at timestamptz not null,
    is_suspect boolean not null,
    search text not null,
    status text not null,
    owner_id uuid not null,
    source text not null,
    package text not null,
    is_waiting boolean not null,
    next_action_on text
  );
  alter table ${schema}.leads alter email_key set statistics 0, alter phone_key set statistics 0,
    alter lead set statistics 0;
  alter table ${schema}.entries alter search set statistics 0;
`

const indexes = (schema: string) => `
  create index on ${schema}.leads (changed_position);
  create index on ${schema}.leads (email_key);
  create index on ${schema}.leads (phone_key);
  create index on ${schema}.entries (submitted_at desc, id desc) where not is_suspect;
  create index on ${schema}.entries (submitted_at desc, id desc) where is_suspect;
  create index on ${schema}.entries (status, source, package, submitted_at desc, id desc) include (is_waiting)
    where not is_suspect;
  create index on ${schema}.entries (owner_id, status, source, package, submitted_at desc, id desc)
    include (is_waiting) where not is_suspect;
  create index on ${schema}.entries (next_action_on, submitted_at, id)
    where next_action_on is not null and not is_suspect;
  create index on ${schema}.entries using gin (search gin_trgm_ops) ${TRIGRAMS};
  analyze ${schema}.leads, ${schema}.entries;
`

/** Whether nobody has answered a lead yet who could be answered. */
const isWaiting = (lead: Lead) => lead.followUpStatus === 'new' && lead.answeredAt === null && !isErased(lead)

/** A lead with the positions of the events that began it and changed it last. */
type Row = { lead: Lead; position: number; changedPosition: number }

const storedRows = async (tx: Queryable, schema: string, ids: string[]) => {
  if (ids.length === 0) return []
  return await tx<Row[]>`
    select lead, position, changed_position as "changedPosition" from ${tx(schema)}.leads where id = any(${ids}::uuid[])`
}

/**
 * Rows as a table of the view's columns. The leads come as lines: as an array each of their quotes would be escaped;
 * instants come as text: else the driver would read each and write it again.
 */
const columnsOf = (tx: Queryable, rows: Row[]) => tx`
  rows from (
    unnest(${rows.map(({ lead }) => lead.id)}::uuid[]),
    unnest(${rows.map(({ position }) => position)}::bigint[]),
    unnest(${rows.map(({ changedPosition }) => changedPosition)}::bigint[]),
    unnest(${rows.map(({ lead }) => lead.timestamp)}::text[]::timestamptz[]),
    unnest(${rows.map(({ lead }) => Number(lead.suspicion !== undefined))}::integer[]),
    unnest(${rows.map(({ lead }) => emailKey(lead.email))}::text[]),
    unnest(${rows.map(({ lead }) => phoneKey(lead.phone))}::text[]),
    unnest(${rows.map(({ lead }) => searchedText(lead))}::text[]),
    unnest(${rows.map(({ lead }) => lead.followUpStatus)}::text[]),
    unnest(${rows.map(({ lead }) => lead.ownerId ?? NOBODY)}::text[]::uuid[]),
    unnest(${rows.map(({ lead }) => kindOfLead(lead).source)}::text[]),
    unnest(${rows.map(({ lead }) => kindOfLead(lead).package)}::text[]),
    unnest(${rows.map(({ lead }) => Number(isWaiting(lead)))}::integer[]),
    unnest(${rows.map(({ lead }) => (isErased(lead) ? null : lead.nextActionDate))}::text[]),
    string_to_table(${rows.map(({ lead }) => JSON.stringify(lead)).join('\n')}::text, E'\\n')
  ) as r (id, position, changed_position, submitted_at, suspect, email_key, phone_key, search, status, owner_id, source, package, waiting,
    next_action_on, lead)`

/** Adds leads that have just begun: by far most of the rows of a rebuild. */
const addRows = (tx: Queryable, schema: string, rows: Row[]) => tx`
  with r as materialized (
    select *, suspect = 1 as is_suspect, waiting = 1 as is_waiting from ${columnsOf(tx, rows)}
  ),
  added as (
    insert into ${tx(schema)}.leads (id, position, changed_position, is_suspect, email_key, phone_key, lead)
    select id, position, changed_position, is_suspect, email_key, phone_key, lead::json from r
  )
  insert into ${tx(schema)}.entries (position, id, submitted_at, is_suspect, search, status, owner_id, source, package,
    is_waiting, next_action_on)
  select position, id, submitted_at, is_suspect, search, status, owner_id, source, package, is_waiting, next_action_on
  from r`

const changeRows = (tx: Queryable, schema: string, rows: Row[]) => tx`
  with r as materialized (
    select *, suspect = 1 as is_suspect, waiting = 1 as is_waiting from ${columnsOf(tx, rows)}
  ),
  changed as (
    update ${tx(schema)}.entries e
    set is_suspect = r.is_suspect, search = r.search, status = r.status, owner_id = r.owner_id, source = r.source,
      package = r.package, is_waiting = r.is_waiting, next_action_on = r.next_action_on
    from r
    where e.position = r.position and
      (e.is_suspect, e.search, e.status, e.owner_id, e.source, e.package, e.is_waiting, e.next_action_on)
      is distinct from
      (r.is_suspect, r.search, r.status, r.owner_id, r.source, r.package, r.is_waiting, r.next_action_on)
  )
  update ${tx(schema)}.leads l
  set changed_position = r.changed_position, is_suspect = r.is_suspect,
    email_key = r.email_key, phone_key = r.phone_key, lead = r.lead::json
  from r where l.id = r.id`

const removeRows = (tx: Queryable, schema: string, rows: Row[]) => tx`
  with r as (select unnest(${rows.map(({ position }) => position)}::bigint[]) as position),
  removed as (delete from ${tx(schema)}.entries e using r where e.position = r.position)
  delete from ${tx(schema)}.leads where id = any(${rows.map(({ lead }) => lead.id)}::uuid[])`

const apply = async (tx: Queryable, schema: string, events: AnyRecordedEvent[]) => {
  const streams = Map.groupBy(events.filter(isLeadEvent), ({ stream }) => leadIdOf(stream) ?? '')
  const begun = [...streams].flatMap(([id, [first]]) => (first && first.version > 1 ? [id] : []))
  const stored = new Map((await storedRows(tx, schema, begun)).map((row) => [row.lead.id, row]))
  const added: Row[] = []
  const changed: Row[] = []
  const withdrawn: Row[] = []
  for (const [id, changes] of streams) {
    const known = stored.get(id)
    const lead = changes.reduce<Lead | undefined>(evolveLead, known?.lead)
    const [first, last] = [changes[0], changes.at(-1)]
    if (known && !lead) withdrawn.push(known)
    if (!lead || !first || !last) continue
    if (known) changed.push({ lead, position: known.position, changedPosition: last.position })
    else added.push({ lead, position: first.position, changedPosition: last.position })
  }
  return [
    ...(added.length > 0 ? [addRows(tx, schema, added)] : []),
    ...(changed.length > 0 ? [changeRows(tx, schema, changed)] : []),
    ...(withdrawn.length > 0 ? [removeRows(tx, schema, withdrawn)] : []),
  ]
}

/** All leads as they are now, for staff. */
export const leadsProjection: Projection = { name: 'leads', version: 13, types: LEAD_EVENTS, tables, indexes, apply }

/** The leads, suspects left out, that changed after a position of the log, in the order in which they changed. */
export const changedLeads = (sql: Sql, after: number, limit: number): Promise<{ position: number; lead: Lead }[]> =>
  sql<{ position: number; lead: Lead }[]>`
    select changed_position as position, lead from ${sql(schemaOf(leadsProjection))}.leads
    where changed_position > ${after} and not is_suspect order by changed_position limit ${limit}`

/** The position of the log that the view has reached. */
export const leadsPosition = (sql: Sql): Promise<number> => readPosition(sql, leadsProjection)
