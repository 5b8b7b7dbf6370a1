import { agencyDay } from '../../events/base/agency-day.ts'
import { CONTRACT_SOURCES } from '../../events/lead/form/kind.ts'
import type { Lead } from '../../events/lead/lead.ts'
import { listedColumns, listedLead } from '../../events/lead/store/listed-lead.ts'
import { IS_QUARANTINED_CONTRACT, leadsProjection } from '../../events/lead/store/view.ts'
import {
  type Interval,
  lastDueWithin,
  MAX_COUNTED_LEADS,
  waitingBetween,
} from '../../events/lead/store/waiting-leads.ts'
import { schemaOf } from '../../events/projections/projection.ts'
import { DUE_SOON_MS } from '../../events/settings/support-time.ts'
import type { Sql } from '../../events/stores/connection.ts'

const view = (sql: Sql) => sql(schemaOf(leadsProjection))

/** Some leads, in the order in which to work on them, and their number, counted up to MAX_COUNTED_LEADS. */
export type TodaysLeads = { count: number; leads: Lead[] }

const dueByToday = async (sql: Sql, now: Date): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    select id from ${view(sql)}.entries where next_action_on <= ${agencyDay(now)} and not is_suspect
    order by next_action_on, submitted_at, id limit ${MAX_COUNTED_LEADS}`
  return rows.map(({ id }) => id)
}

const quarantinedContracts = async (sql: Sql): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    select id from ${view(sql)}.entries where ${sql.unsafe(IS_QUARANTINED_CONTRACT)}
    order by submitted_at desc, id desc limit ${MAX_COUNTED_LEADS}`
  return rows.map(({ id }) => id)
}

const readLeads = async (sql: Sql, ids: string[]) => {
  const rows = await sql<{ lead: Lead; hasMerged: boolean }[]>`
    select ${listedColumns(sql)} from ${view(sql)}.leads where id = any(${ids}::uuid[])`
  return new Map(rows.map((row) => [row.lead.id, listedLead(row)]))
}

/**
 * The signed contracts among the waiting leads, the one that has waited longest first. Uses the index of status and
 * source.
 */
const contractsBetween = async (sql: Sql, { after, until }: Interval): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    select id from ${view(sql)}.entries
    where not is_suspect and status = 'new' and source = any(${CONTRACT_SOURCES as string[]}) and is_waiting
      and submitted_at <= ${until} ${after ? sql`and submitted_at > ${after}` : sql``}
    order by submitted_at, id limit ${MAX_COUNTED_LEADS}`
  return rows.map(({ id }) => id)
}

/**
 * The waiting leads of one group: contracts first, then all others, each by when their reply is due. The leads of a
 * group are about equally late, and a customer who has signed and gets no reply costs the agency most.
 */
const waitingInOrder = async (sql: Sql, interval: Interval): Promise<string[]> => {
  const [contracts, all] = await Promise.all([contractsBetween(sql, interval), waitingBetween(sql, interval)])
  return [...new Set([...contracts, ...all])].slice(0, MAX_COUNTED_LEADS)
}

/**
 * The same, with the leads first whose email reply bounced: staff believed them answered, and their person was not
 * reached.
 */
const unreachedFirst = async (sql: Sql, ids: string[]): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    select id from ${view(sql)}.leads where id = any(${ids}::uuid[]) and lead ->> 'emailFailedAt' is not null`
  const unreached = new Set(rows.map(({ id }) => id))
  return [...ids.filter((id) => unreached.has(id)), ...ids.filter((id) => !unreached.has(id))]
}

/**
 * The leads to work on: those that have waited longer than promised, those whose reply is due within DUE_SOON_MS, the
 * other waiting ones (`fresh`), those whose next action is due, and the flagged contracts that staff have not judged
 * (`quarantined`), each with its first `limit`. The cost does not grow with the number of leads.
 */
export const readTodaysLeads = async (sql: Sql, { now, limit }: { now: Date; limit: number }) => {
  const [overdueBy, dueSoonBy] = await Promise.all([lastDueWithin(sql, 0, now), lastDueWithin(sql, DUE_SOON_MS, now)])
  const [overdue, dueSoon, fresh, nextActions, quarantined] = await Promise.all([
    overdueBy ? waitingInOrder(sql, { until: overdueBy }) : [],
    dueSoonBy ? waitingInOrder(sql, { after: overdueBy, until: dueSoonBy }) : [],
    waitingInOrder(sql, { after: dueSoonBy, until: now }).then((ids) => unreachedFirst(sql, ids)),
    dueByToday(sql, now),
    quarantinedContracts(sql),
  ])
  const known = await readLeads(
    sql,
    [overdue, dueSoon, fresh, nextActions, quarantined].flatMap((ids) => ids.slice(0, limit)),
  )
  // the view of leads may be a moment behind that of waiting leads
  const leadsOf = (ids: string[]): TodaysLeads => ({
    count: ids.length,
    leads: ids.slice(0, limit).flatMap((id) => known.get(id) ?? []),
  })
  return {
    overdue: leadsOf(overdue),
    dueSoon: leadsOf(dueSoon),
    fresh: leadsOf(fresh),
    nextActions: leadsOf(nextActions),
    quarantined: leadsOf(quarantined),
  }
}
