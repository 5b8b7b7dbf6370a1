import { agencyDay } from '../../base/agency-day.ts'
import type { Sent } from '../../base/word.ts'
import type { AnyRecordedEvent } from '../../catalogue.ts'
import {
  contentOn,
  endsOn,
  evolveLife,
  isLifeEvent,
  LIFE_TYPES,
  type Life,
  lastDayOf,
  liveOn,
  NO_LIFE,
  NOTICE_DAYS,
  stepState,
} from '../../contract/life.ts'
import { dueOn, ENDING_DAYS } from '../../contract/promise.ts'
import { contractStreams } from '../../contract/signed-copy.ts'
import { type Terms, termsStreams } from '../../contract/terms.ts'
import type { ContractShow, contractRow, contractsSummary } from '../../contract/wire.ts'
import type { Queryable } from '../../log/read.ts'
import { type Projection, schemaOf } from '../../projections/projection.ts'
import { PACKAGE_IDS, type PackageId } from '../../settings/prices.ts'
import type { Sql } from '../../stores/connection.ts'
import { contractPackage } from '../form/contract-value.ts'
import { leadIdOf } from '../lead.ts'
import { matchingLeads } from './lead-list.ts'
import { leadsProjection } from './view.ts'

// Each contract with the price that was agreed, its days and its life. Names are in the view of leads. `step` is the
// state of the last one, `due_on` the last day of the promised time, `minimum_on` that of its minimum term. Not listed: in quarantine, or erased before it went live.
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
    signed_on date not null,
    monthly double precision,
    months integer,
    notice_days integer,
    step text not null,
    due_on date not null,
    live_on date,
    minimum_on date,
    ends_on date,
    is_listed boolean not null,
    is_flagged boolean not null,
    life jsonb not null
  );
`

/** The columns that follow from the events of a contract alone; the others follow from these. */
type Known = {
  lead_id: string
  package: PackageId
  signed_at: Date
  monthly: number | null
  months: number | null
  notice_days: number | null
  is_flagged: boolean
  life: Life
}

type Row = Known & {
  signed_on: string
  step: string
  due_on: string
  live_on: string | null
  minimum_on: string | null
  ends_on: string | null
  is_listed: boolean
}

const rowOf = (known: Known): Row => {
  const { life, months } = known
  const live = liveOn(life)
  const signedOn = agencyDay(known.signed_at)
  const hasBegun = live !== null && (life.erasedOn === null || live < life.erasedOn)
  return {
    ...known,
    signed_on: signedOn,
    step: stepState(life),
    due_on: dueOn(known.package, contentOn(life) ?? signedOn),
    live_on: live,
    minimum_on: live !== null && months !== null ? lastDayOf(live, months) : null,
    ends_on: endsOn(life),
    // what has run was no spam
    is_listed: hasBegun || (life.erasedOn === null && !known.is_flagged),
  }
}

type TermsRow = Pick<Known, 'monthly' | 'months' | 'notice_days'> & { package: string; version: number }

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
const signedRow = (leadId: string, { data, recordedAt }: Signed, terms: readonly TermsRow[]): Known | undefined => {
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
    life: NO_LIFE,
  }
}

/** The row of a contract after an event. */
const evolved = (
  row: Known | undefined,
  event: AnyRecordedEvent,
  { leadId, terms }: { leadId: string; terms: readonly TermsRow[] },
): Known | undefined => {
  if (event.type === 'LeadSubmitted') return signedRow(leadId, event, terms)
  if (!row) return undefined
  if (event.type === 'LeadFlagged') return { ...row, is_flagged: true }
  if (event.type === 'LeadReleased') return { ...row, is_flagged: false }
  if (event.type === 'LeadErased') return { ...row, life: { ...row.life, erasedOn: agencyDay(event.recordedAt) } }
  return isLifeEvent(event) ? { ...row, life: evolveLife(row.life, event) } : row
}

const idOf = ({ stream }: AnyRecordedEvent) => leadIdOf(stream) ?? contractStreams.idOf(stream)

const apply = async (tx: Queryable, schema: string, events: AnyRecordedEvent[]) => {
  const published = events.flatMap((event) => (event.type === 'TermsPublished' ? [termsRow(event)] : []))
  const ids = [...new Set(events.flatMap((event) => idOf(event) ?? []))]
  const isSigning = events.some((event) => event.type === 'LeadSubmitted' && contractPackage(event.data.source))
  const stored = isSigning ? await tx<TermsRow[]>`select * from ${tx(schema)}.terms` : []
  const known =
    ids.length > 0
      ? await tx<Known[]>`
    select lead_id, package, signed_at, monthly, months, notice_days, is_flagged, life
    from ${tx(schema)}.contracts where lead_id in ${tx(ids)}`
      : []
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
  const written = [...changed].flatMap((id) => rows.get(id) ?? []).map(rowOf)
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
        step = excluded.step, due_on = excluded.due_on, live_on = excluded.live_on, minimum_on = excluded.minimum_on, ends_on = excluded.ends_on,
        is_listed = excluded.is_listed, is_flagged = excluded.is_flagged, life = excluded.life`
  return [termsWrites, contractWrites].filter((write) => write !== false)
}

/** The contracts, with their prices, their days and their lives. */
export const contractsProjection: Projection = {
  name: 'contracts',
  version: 1,
  types: ['TermsPublished', 'LeadSubmitted', 'LeadFlagged', 'LeadReleased', 'LeadErased', ...LIFE_TYPES],
  opened: [],
  tables,
  indexes: (schema) => `
    create index on ${schema}.contracts (signed_at desc, lead_id desc) where is_listed;
    analyze ${schema}.contracts;
  `,
  apply,
}

const view = (sql: Sql) => sql(schemaOf(contractsProjection))

/** A filter of contracts, as of a day. `q` is searched for as in a list of leads. */
export type ContractFilter = { today: string; show?: ContractShow; package?: PackageId; q?: string }

/** The listed contracts as they are on a day. */
const datedContracts = (sql: Sql, today: string) => sql`
  (
    select *, is_waiting and due_on < today as is_late,
      months is not null and coalesce(coalesce(ends_on, minimum_on) between today and today + ${ENDING_DAYS}::integer, false)
        as is_ending,
      monthly is not null and live_on <= today and not is_ended as is_paying
    from (
      select c.*, d.today, coalesce(ends_on < d.today, false) as is_ended, step in ('signed', 'accepted') as is_waiting,
        d.today - signed_on as waits
      from ${view(sql)}.contracts c, (select ${today}::date as today) d where is_listed
    ) listed
  ) dated`

const shownBy = (sql: Sql, show: ContractShow) => {
  switch (show) {
    case 'waiting':
      return sql`is_waiting`
    case 'ending':
      return sql`is_ending`
    case 'due':
      return sql`(step = 'signed' or is_late or is_ending)`
    case 'ended':
      return sql`is_ended`
    default:
      return sql`step = ${show} and not is_ended`
  }
}

const fitting = (sql: Sql, { show, package: wanted, q }: ContractFilter) => sql`
  ${show ? shownBy(sql, show) : sql`true`}
  ${wanted ? sql`and package = ${wanted}` : sql``}
  ${q ? sql`and lead_id in (${matchingLeads(sql, q)})` : sql``}`

/** A contract in a list, with the instant of its signature. */
export type ListedContract = Omit<Sent<typeof contractRow>, 'questionnaireId' | 'sessionId'> & { timestamp: string }

/** `after` is the last contract of the page before; `isLate` matters only if late ones come first. */
type Page = { limit: number; after?: { timestamp: string; id: string; isLate?: boolean } | undefined }

/**
 * A page of the contracts of a filter, newest first; of those that are `due` the late ones come first. A client who was
 * erased has no name.
 */
export const listContracts = async (
  sql: Sql,
  filter: ContractFilter,
  { limit, after }: Page,
): Promise<ListedContract[]> => {
  const isLateFirst = filter.show === 'due'
  const order = sql`${isLateFirst ? sql`is_late desc,` : sql``} signed_at desc, lead_id desc`
  const past =
    after &&
    sql`
    and (${isLateFirst ? sql`is_late,` : sql``} signed_at, lead_id)
      < (${isLateFirst ? sql`${after.isLate ?? false}::boolean,` : sql``} ${after.timestamp}::timestamptz, ${after.id}::uuid)`
  return await sql<ListedContract[]>`
    select lead_id as "leadId", to_char(signed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as timestamp,
      coalesce(lead ->> 'name', '') as name, lead ->> 'businessName' as "businessName", package, monthly,
      signed_on::text as "signedOn", case when is_ended then 'ended' else step end as state, live_on::text as "liveOn",
      ends_on::text as "endsOn", (
        case when ends_on is not null or minimum_on is null then ends_on
          else greatest(today + coalesce(notice_days, ${NOTICE_DAYS}::integer), minimum_on) end
      )::text as "firstPossibleEnd", case when is_waiting then waits end as waits, due_on::text as "dueOn", is_late as "isLate",
      is_ending as "isEnding"
    from (
      select * from ${datedContracts(sql, filter.today)} where ${fitting(sql, filter)}
        ${past ?? sql``}
      order by ${order} limit ${limit}
    ) page
    left join ${sql(schemaOf(leadsProjection))}.leads on leads.id = page.lead_id order by ${order}`
}

/** How many contracts a filter has, and the totals of all listed ones. */
export const sumContracts = async (sql: Sql, filter: ContractFilter): Promise<Sent<typeof contractsSummary>> => {
  type Sums = { package: PackageId; monthly: number } & Record<
    'contracts' | 'waiting' | 'late' | 'ending' | 'count',
    number
  >
  const rows = await sql<Sums[]>`
    select package, count(*) filter (where is_paying)::integer as contracts,
      coalesce(sum(monthly) filter (where is_paying), 0) as monthly,
      count(*) filter (where is_waiting)::integer as waiting, count(*) filter (where is_late)::integer as late,
      count(*) filter (where is_ending)::integer as ending, count(*) filter (where ${fitting(sql, filter)})::integer as count
    from ${datedContracts(sql, filter.today)} group by package`
  const sum = (name: Exclude<keyof Sums, 'package'>) => rows.reduce((total, row) => total + row[name], 0)
  const ofPackage = new Map(rows.map((row) => [row.package, row]))
  return {
    count: sum('count'),
    totals: {
      monthly: sum('monthly'),
      packages: PACKAGE_IDS.flatMap((id) => {
        const { contracts = 0, monthly = 0 } = ofPackage.get(id) ?? {}
        return contracts > 0 ? [{ package: id, contracts, monthly }] : []
      }),
      waiting: sum('waiting'),
      late: sum('late'),
      ending: sum('ending'),
    },
  }
}

/**
 * The monthly fees that ran on the last day of each month of a range, and on its last day, in rand: of each contract by
 * the price that was agreed, also if its client has been erased since then.
 */
export const recurringByMonth = async (
  sql: Sql,
  { from, asOf }: { from: string; asOf: string },
): Promise<{ day: string; monthly: number }[]> =>
  await sql<{ day: string; monthly: number }[]>`
    with days as (
      select day::date from generate_series(${from}::date, ${asOf}::date, '1 day') day
      where day = ${asOf}::date or extract(day from day + interval '1 day') = 1
    ),
    paying as (select * from ${view(sql)}.contracts where is_listed and monthly is not null and live_on is not null),
    changes as (
      select live_on as day, sum(monthly) as change from paying group by live_on
      union all
      select ends_on + 1, -sum(monthly) from paying where ends_on is not null group by ends_on
    )
    select days.day::text, coalesce(sum(change), 0) as monthly
    from days left join changes on changes.day <= days.day group by days.day order by days.day`
