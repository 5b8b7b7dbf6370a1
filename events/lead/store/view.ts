import { emailKey } from '../../base/address.ts'
import { typesOf } from '../../base/definition.ts'
import { phoneKey } from '../../base/phone.ts'
import type { AnyRecordedEvent } from '../../catalogue.ts'
import { readPosition } from '../../log/checkpoints.ts'
import type { Queryable } from '../../log/read.ts'
import { type Projection, schemaOf } from '../../projections/projection.ts'
import { TRIGRAMS } from '../../projections/trigrams.ts'
import type { Sql } from '../../stores/connection.ts'
import { CONTRACT_SOURCES, kindOfLead } from '../form/kind.ts'
import { evolveLead, isLeadEvent, type Lead, leadEvents, leadIdOf } from '../lead.ts'
import { evolveMerge, isMergeEvent, type Merge, mergeStreams } from '../person/merge.ts'
import { afterContacts, CONTACT_EVENTS, isLeadContactEvent, leadContactStreams } from '../reply/contact.ts'
import { searchedText } from '../search/searched.ts'
import { isErased } from '../wire.ts'
import { listedColumns, listedLead, type StoredLead, storedColumns } from './listed-lead.ts'
import { hideRows, readTied, tieRows } from './merged-leads.ts'

/**
 * The channel of the bus on which a worker announces that the leads view has changed. Its messages hold nothing else.
 */
export const LEADS_CHANNEL = 'view:leads'

/**
 * All types of events that change which leads there are, and their shown fields except unanswered calls. Notes of staff
 * raise the version of the lead's stream.
 */
export const LISTED_EVENTS = [...typesOf(leadEvents), 'LeadsMerged', 'LeadsUnmerged'] as const

/** The owner id of an unassigned lead: an index finds it in the order of submission, which it cannot for null. */
export const UNASSIGNED_ID = '00000000-0000-0000-0000-000000000000'

/**
 * Lists, searches and counts read `entries`, which is narrow, and which no email and no note changes: its trigrams are
 * expensive to write. `position` is that of the event that began the lead. A lead that was merged into another or whose
 * person was erased has no entry; `own` is set if a lead shows fields of others. Postgres collects no statistics of
 * personal columns: they would store names and addresses in a catalogue table, also of people who were erased.
 */
const tables = (schema: string) => `
  create table ${schema}.leads (
    id uuid primary key,
    position bigint not null,
    changed_position bigint not null,
    is_suspect boolean not null,
    email_key text,
    phone_key text,
    lead json not null,
    merged_into uuid,
    merge json,
    own json
  );
  create index on ${schema}.leads (merged_into) where merged_into is not null;
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
    next_action_on text,
    project_value double precision
  );
  alter table ${schema}.leads alter email_key set statistics 0, alter phone_key set statistics 0,
    alter lead set statistics 0, alter own set statistics 0;
  alter table ${schema}.entries alter search set statistics 0;
`

/**
 * A flagged contract that staff have not judged yet. The words are those of its index: Postgres uses it for no others.
 */
export const IS_QUARANTINED_CONTRACT = `is_suspect and is_waiting and source in (${CONTRACT_SOURCES.map((source) => `'${source}'`).join(', ')})`

const indexes = (schema: string) => `
  create index on ${schema}.leads (changed_position);
  create index on ${schema}.leads (email_key);
  create index on ${schema}.leads (phone_key);
  create index on ${schema}.entries (submitted_at desc, id desc) where not is_suspect;
  create index on ${schema}.entries (submitted_at desc, id desc) where is_suspect;
  create index on ${schema}.entries (submitted_at desc, id desc) where ${IS_QUARANTINED_CONTRACT};
  create index on ${schema}.entries (status, source, package, submitted_at desc, id desc) include (is_waiting)
    where not is_suspect;
  create index on ${schema}.entries (owner_id, status, source, package, submitted_at desc, id desc)
    include (is_waiting) where not is_suspect;
  create index on ${schema}.entries (next_action_on, submitted_at, id)
    where next_action_on is not null and not is_suspect;
  create index on ${schema}.entries using gin (search gin_trgm_ops) ${TRIGRAMS};
  analyze ${schema}.leads, ${schema}.entries;
`

/** Whether a lead that can have a reply has none yet. */
const isWaiting = (lead: Lead) => lead.followUpStatus === 'new' && lead.answeredAt === null && !isErased(lead)

/**
 * A lead with the positions of the events that began it and changed it last. `lead` has the fields that it shows, `own`
 * those of its own stream; `search` is its search text, if there is more.
 */
export type LeadRow = {
  lead: Lead
  own: Lead
  merge: Merge | null
  position: number
  changedPosition: number
  search?: string
}

const storedRows = async (tx: Queryable, schema: string, ids: string[]) => {
  if (ids.length === 0) return []
  return await tx<StoredLead[]>`
    select ${storedColumns(tx)} from ${tx(schema)}.leads where id = any(${ids}::uuid[])`
}

/**
 * Rows as a table of the view's columns. The leads come as lines: as an array each of their quotes would be escaped;
 * instants come as text: else the driver would read each and write it again.
 */
const columnsOf = (tx: Queryable, rows: LeadRow[]) => tx`
  rows from (
    unnest(${rows.map(({ lead }) => lead.id)}::uuid[]),
    unnest(${rows.map(({ position }) => position)}::bigint[]),
    unnest(${rows.map(({ changedPosition }) => changedPosition)}::bigint[]),
    unnest(${rows.map(({ lead }) => lead.timestamp)}::text[]::timestamptz[]),
    unnest(${rows.map(({ lead }) => Number(lead.suspicion !== undefined))}::integer[]),
    unnest(${rows.map(({ own }) => emailKey(own.email))}::text[]),
    unnest(${rows.map(({ own }) => phoneKey(own.phone))}::text[]),
    unnest(${rows.map(({ lead, search }) => search ?? searchedText(lead))}::text[]),
    unnest(${rows.map(({ lead }) => lead.followUpStatus)}::text[]),
    unnest(${rows.map(({ lead }) => lead.ownerId ?? UNASSIGNED_ID)}::text[]::uuid[]),
    unnest(${rows.map(({ lead }) => kindOfLead(lead).source)}::text[]),
    unnest(${rows.map(({ lead }) => kindOfLead(lead).package)}::text[]),
    unnest(${rows.map(({ lead }) => Number(isWaiting(lead)))}::integer[]),
    unnest(${rows.map(({ lead }) => (isErased(lead) ? null : lead.nextActionDate))}::text[]),
    unnest(${rows.map(({ lead }) => lead.projectValue)}::double precision[]),
    string_to_table(${rows.map(({ lead }) => JSON.stringify(lead)).join('\n')}::text, E'\\n')
  ) as r (id, position, changed_position, submitted_at, suspect, email_key, phone_key, search, status, owner_id, source, package, waiting,
    next_action_on, project_value, lead)`

/** Adds leads that have just begun: by far most of the rows of a rebuild. */
const addRows = (tx: Queryable, schema: string, rows: LeadRow[]) => tx`
  with r as materialized (
    select *, suspect = 1 as is_suspect, waiting = 1 as is_waiting from ${columnsOf(tx, rows)}
  ),
  added as (
    insert into ${tx(schema)}.leads (id, position, changed_position, is_suspect, email_key, phone_key, lead)
    select id, position, changed_position, is_suspect, email_key, phone_key, lead::json from r
  )
  insert into ${tx(schema)}.entries (position, id, submitted_at, is_suspect, search, status, owner_id, source, package,
    is_waiting, next_action_on, project_value)
  select position, id, submitted_at, is_suspect, search, status, owner_id, source, package, is_waiting, next_action_on,
    project_value
  from r`

const changeRows = (tx: Queryable, schema: string, rows: LeadRow[]) => tx`
  with r as materialized (
    select *, suspect = 1 as is_suspect, waiting = 1 as is_waiting from ${columnsOf(tx, rows)}
  ),
  changed as (
    update ${tx(schema)}.entries e
    set is_suspect = r.is_suspect, search = r.search, status = r.status, owner_id = r.owner_id, source = r.source,
      package = r.package, is_waiting = r.is_waiting, next_action_on = r.next_action_on,
      project_value = r.project_value
    from r
    where e.position = r.position and
      (e.is_suspect, e.search, e.status, e.owner_id, e.source, e.package, e.is_waiting, e.next_action_on, e.project_value)
      is distinct from
      (r.is_suspect, r.search, r.status, r.owner_id, r.source, r.package, r.is_waiting, r.next_action_on, r.project_value)
  )
  update ${tx(schema)}.leads l
  set changed_position = r.changed_position, is_suspect = r.is_suspect,
    email_key = r.email_key, phone_key = r.phone_key, lead = r.lead::json
  from r where l.id = r.id`

const removeRows = (tx: Queryable, schema: string, rows: LeadRow[]) => tx`
  with r as (select unnest(${rows.map(({ position }) => position)}::bigint[]) as position),
  removed as (delete from ${tx(schema)}.entries e using r where e.position = r.position)
  delete from ${tx(schema)}.leads where id = any(${rows.map(({ lead }) => lead.id)}::uuid[])`

/** The leads that a batch of events is about, after the batch. */
const evolveRows = async (tx: Queryable, schema: string, events: AnyRecordedEvent[]) => {
  const streams = Map.groupBy(events.filter(isLeadEvent), ({ stream }) => leadIdOf(stream) ?? '')
  const contacts = Map.groupBy(events.filter(isLeadContactEvent), ({ stream }) => leadContactStreams.idOf(stream) ?? '')
  const merges = Map.groupBy(events.filter(isMergeEvent), ({ stream }) => mergeStreams.idOf(stream) ?? '')
  const others = [...contacts.keys(), ...merges.keys()]
  const started = [...streams].flatMap(([id, [first]]) => (first && first.version > 1 ? [id] : []))
  const stored = new Map(
    (await storedRows(tx, schema, [...new Set([...started, ...others])])).map((row) => [row.own.id, row]),
  )
  const rows = new Map<string, LeadRow>()
  const removedIds = new Set<string>()
  for (const id of new Set([...streams.keys(), ...others])) {
    const changes = streams.get(id) ?? []
    const known = stored.get(id)
    const calls = contacts.get(id) ?? []
    const lead = changes.reduce<Lead | undefined>(evolveLead, known?.own)
    if (known && !lead) removedIds.add(id)
    const own = lead && afterContacts(lead, calls)
    const merge = [...changes, ...(merges.get(id) ?? [])].reduce(evolveMerge, known?.merge ?? null)
    const position = known?.position ?? changes[0]?.position
    const ownEvents = [changes, calls, merges.get(id) ?? []]
    const changedPosition = Math.max(...ownEvents.map((each) => each.at(-1)?.position ?? 0))
    if (own && position !== undefined) rows.set(id, { lead: own, own, merge, position, changedPosition })
  }
  return { rows, stored, removedIds }
}

const apply = async (tx: Queryable, schema: string, events: AnyRecordedEvent[]) => {
  const batch = await evolveRows(tx, schema, events)
  const tied = await readTied(tx, schema, { ...batch, last: events.at(-1)?.position ?? 0 })
  const tiedIds = new Set(tied.map(({ own }) => own.id))
  const plain = [...batch.rows].filter(([id]) => !tiedIds.has(id))
  const added = plain.flatMap(([id, row]) => (batch.stored.has(id) ? [] : [row]))
  const changed = plain.flatMap(([id, row]) => (batch.stored.has(id) ? [row] : []))
  const removed = [...[...batch.removedIds].flatMap((id) => batch.stored.get(id) ?? []), ...tied]
  return [
    ...(removed.length > 0 ? [removeRows(tx, schema, removed)] : []),
    ...(added.length + tied.length > 0 ? [addRows(tx, schema, [...added, ...tied])] : []),
    ...(tied.length > 0 ? [tieRows(tx, schema, tied)] : []),
    ...(changed.length > 0 ? [changeRows(tx, schema, changed)] : []),
    ...hideRows(tx, schema, [...added, ...tied, ...changed]),
  ]
}

/** How much of the log is looked through for leads that were withdrawn, flagged or released. */
const MAX_LOOKED_AT_EVENTS = 10_000

/** The current state of all leads, for staff. */
export const leadsProjection: Projection = {
  name: 'leads',
  version: 1,
  types: [...LISTED_EVENTS, ...CONTACT_EVENTS],
  tables,
  indexes,
  apply,
}

/**
 * The leads, flagged ones left out, that changed after a position of the log, in the order in which they changed: `limit`,
 * and those that the event of the last one has changed too.
 */
export const changedLeads = async (
  sql: Sql,
  after: number,
  limit: number,
): Promise<{ position: number; lead: Lead }[]> => {
  const rows = await sql<{ position: number; lead: Lead; hasMerged: boolean }[]>`
    select changed_position as position, ${listedColumns(sql)} from ${sql(schemaOf(leadsProjection))}.leads
    where changed_position > ${after} and not is_suspect order by changed_position
    fetch first ${limit} rows with ties`
  return rows.map((row) => ({ position: row.position, lead: listedLead(row) }))
}

/** The changes that `changedLeads` does not include. */
export type UnlistedChanges = { withdrawn: number; hasQuarantineChanged: boolean }

/**
 * How many leads were withdrawn, or flagged by staff, between two positions of the log, which are no longer in the
 * lists, and whether a flagged lead came, changed or was released. Only the last events of a longer range are read.
 */
export const unlistedChanges = async (sql: Sql, after: number, upTo: number): Promise<UnlistedChanges> => {
  const [row] = await sql<UnlistedChanges[]>`
    select count(*) filter (where type in ('LeadWithdrawn', 'LeadFlagged'))::integer as withdrawn,
      coalesce(bool_or(type = 'LeadReleased'), false) or exists (
        select from ${sql(schemaOf(leadsProjection))}.leads
        where changed_position > ${after} and changed_position <= ${upTo} and is_suspect
      ) as "hasQuarantineChanged"
    from (
      select type from events where position > ${after} and position <= ${upTo}
      order by position desc limit ${MAX_LOOKED_AT_EVENTS}
    ) part`
  return row ?? { withdrawn: 0, hasQuarantineChanged: false }
}

/** The position of the log that the view has reached. */
export const leadsPosition = (sql: Sql): Promise<number> => readPosition(sql, leadsProjection)
