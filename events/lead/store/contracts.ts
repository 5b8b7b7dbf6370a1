import { agencyDay } from '../../base/agency-day.ts'
import type { AnyRecordedEvent } from '../../catalogue.ts'
import type { ContractFacts } from '../../contract/figures.ts'
import { evolveLife, isLifeEvent, LIFE_TYPES, type Life, liveOn, NO_LIFE } from '../../contract/life.ts'
import { contractStreams } from '../../contract/signed-copy.ts'
import { type Terms, termsStreams } from '../../contract/terms.ts'
import type { Queryable } from '../../log/read.ts'
import { type Projection, schemaOf } from '../../projections/projection.ts'
import type { PackageId } from '../../settings/prices.ts'
import { contractPackage } from '../form/contract-value.ts'
import { leadIdOf } from '../lead.ts'
import { leadsProjection } from './view.ts'

// Each contract with the price that was agreed, and its life. Names are in the view of leads. `is_void`: its client was
// erased before it went live, and no step of it can be taken.
const tables = (schema: string) => `
  create table ${schema}.terms (
    package text not null,
    version integer not null,
    monthly double precision,
    months integer,
    notice_days integer,
    primary key (package, version)
  );
  create table ${schema}.contracts (
    lead_id uuid primary key,
    package text not null,
    signed_at timestamptz not null,
    monthly double precision,
    months integer,
    notice_days integer,
    is_flagged boolean not null,
    is_void boolean not null,
    life jsonb not null
  );
`

type Row = {
  lead_id: string
  package: PackageId
  signed_at: Date
  monthly: number | null
  months: number | null
  notice_days: number | null
  is_flagged: boolean
  is_void: boolean
  life: Life
}

type TermsRow = Pick<Row, 'monthly' | 'months' | 'notice_days'> & { package: string; version: number }

const termsRow = (event: Extract<AnyRecordedEvent, { type: 'TermsPublished' }>): TermsRow => {
  const { price, months = null, noticeDays = null }: Partial<Terms> = JSON.parse(event.data.text)
  return {
    package: termsStreams.idOf(event.stream) ?? '',
    version: event.version,
    monthly: price?.monthly ?? null,
    months,
    notice_days: noticeDays,
  }
}

type Signed = Extract<AnyRecordedEvent, { type: 'LeadSubmitted' }>

/** The row of a contract that was just signed; undefined for any other lead. */
const signedRow = (leadId: string, { data, recordedAt }: Signed, terms: readonly TermsRow[]): Row | undefined => {
  const packageId = contractPackage(data.source)
  const agreed = terms.find((each) => each.package === packageId && each.version === data.terms?.version)
  if (!packageId || !agreed) return undefined
  const { monthly, months, notice_days } = agreed
  const isFlagged = data.suspicion !== undefined
  return {
    lead_id: leadId,
    package: packageId,
    signed_at: recordedAt,
    monthly,
    months,
    notice_days,
    is_flagged: isFlagged,
    is_void: false,
    life: NO_LIFE,
  }
}

/** The row of a contract after an event. */
const evolved = (
  row: Row | undefined,
  event: AnyRecordedEvent,
  { leadId, terms }: { leadId: string; terms: readonly TermsRow[] },
): Row | undefined => {
  if (event.type === 'LeadSubmitted') return signedRow(leadId, event, terms)
  if (!row) return undefined
  if (event.type === 'LeadFlagged') return { ...row, is_flagged: true }
  if (event.type === 'LeadReleased') return { ...row, is_flagged: false }
  if (event.type === 'LeadErased') return { ...row, is_void: liveOn(row.life) === null }
  return isLifeEvent(event) ? { ...row, life: evolveLife(row.life, event) } : row
}

const idOf = ({ stream }: AnyRecordedEvent) => leadIdOf(stream) ?? contractStreams.idOf(stream)

const apply = async (tx: Queryable, schema: string, events: AnyRecordedEvent[]) => {
  const published = events.flatMap((event) => (event.type === 'TermsPublished' ? [termsRow(event)] : []))
  const ids = [...new Set(events.flatMap((event) => idOf(event) ?? []))]
  const isSigning = events.some((event) => event.type === 'LeadSubmitted' && contractPackage(event.data.source))
  const stored = isSigning ? await tx<TermsRow[]>`select * from ${tx(schema)}.terms` : []
  const known = ids.length > 0 ? await tx<Row[]>`select * from ${tx(schema)}.contracts where lead_id in ${tx(ids)}` : []
  const terms = [...stored, ...published]
  const rows = new Map(known.map((row) => [row.lead_id, row]))
  const changed = new Set<string>()
  for (const event of events) {
    const leadId = idOf(event)
    const row = leadId === undefined ? undefined : evolved(rows.get(leadId), event, { leadId, terms })
    if (!row) continue
    rows.set(row.lead_id, row)
    changed.add(row.lead_id)
  }
  const written = [...changed].map((id) => rows.get(id))
  const termsWrites =
    published.length > 0 &&
    tx`
      insert into ${tx(schema)}.terms
      select * from jsonb_populate_recordset(null::${tx(schema)}.terms, ${tx.json(published)}::jsonb)
      on conflict do nothing`
  const contractWrites =
    written.length > 0 &&
    tx`
      insert into ${tx(schema)}.contracts
      select * from jsonb_populate_recordset(null::${tx(schema)}.contracts, ${tx.json(written as never)}::jsonb)
      on conflict (lead_id) do update set
        is_flagged = excluded.is_flagged, is_void = excluded.is_void, life = excluded.life`
  return [termsWrites, contractWrites].filter((write) => write !== false)
}

/** The contracts, with their prices and their lives. */
export const contractsProjection: Projection = {
  name: 'contracts',
  version: 1,
  types: ['TermsPublished', 'LeadSubmitted', 'LeadFlagged', 'LeadReleased', 'LeadErased', ...LIFE_TYPES],
  opened: [],
  tables,
  indexes: () => '',
  apply,
}

/** A contract with the names of its client, as staff list it. */
export type ListedContract = ContractFacts & { leadId: string; name: string; businessName: string | null }

/** The contracts that are not in quarantine and not void, newest first. A client who was erased has no name. */
export const listContracts = async (sql: Queryable): Promise<ListedContract[]> => {
  const rows = await sql<(Row & { name: string | null; businessName: string | null })[]>`
    select c.*, l.lead ->> 'name' as name, l.lead ->> 'businessName' as "businessName"
    from ${sql(schemaOf(contractsProjection))}.contracts c
    left join ${sql(schemaOf(leadsProjection))}.leads l on l.id = c.lead_id
    where not c.is_flagged and not c.is_void order by c.signed_at desc, c.lead_id`
  return rows.map((row) => ({
    leadId: row.lead_id,
    name: row.name ?? '',
    businessName: row.businessName,
    package: row.package,
    signedOn: agencyDay(row.signed_at),
    monthly: row.monthly,
    months: row.months,
    noticeDays: row.notice_days,
    life: row.life,
  }))
}

/** The contracts for figures alone, without names. */
export const readContractFacts = async (sql: Queryable): Promise<ContractFacts[]> => {
  const rows = await sql<Row[]>`
    select * from ${sql(schemaOf(contractsProjection))}.contracts where not is_flagged and not is_void`
  return rows.map((row) => ({ ...row, signedOn: agencyDay(row.signed_at) }))
}
