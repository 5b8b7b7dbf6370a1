import { agencyDay } from '../agency-day.ts'
import type { Lead } from '../lead.ts'
import type { Sql } from '../log/connection.ts'
import { leadsProjection } from './leads.ts'
import { schemaOf } from './projection.ts'
import { lastOverdueAt, MAX_COUNTED_LEADS, waitingBetween } from './waiting-leads.ts'

const view = (sql: Sql) => sql(schemaOf(leadsProjection))

/** Some leads, in the order in which to work on them, and how many there are, counted up to MAX_COUNTED_LEADS. */
export type TodaysLeads = { count: number; leads: Lead[] }

const dueByToday = async (sql: Sql, now: Date): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    select id from ${view(sql)}.entries where next_action_on <= ${agencyDay(now)} and not is_suspect
    order by next_action_on, submitted_at, id limit ${MAX_COUNTED_LEADS}`
  return rows.map(({ id }) => id)
}

const readLeads = async (sql: Sql, ids: string[]) => {
  const rows = await sql<{ lead: Lead }[]>`select lead from ${view(sql)}.leads where id = any(${ids}::uuid[])`
  return new Map(rows.map(({ lead }) => [lead.id, lead]))
}

/**
 * The leads to work on: those that wait for longer than was promised, the other ones that wait, and those whose next
 * action is due, each with its first `limit`. What it costs does not grow with the leads that there are.
 */
export const readTodaysLeads = async (sql: Sql, { now, limit }: { now: Date; limit: number }) => {
  const overdueBy = await lastOverdueAt(sql, now)
  const [overdue, dueSoon, nextActions] = await Promise.all([
    overdueBy ? waitingBetween(sql, { until: overdueBy }) : [],
    waitingBetween(sql, { ...(overdueBy && { after: overdueBy }), until: now }),
    dueByToday(sql, now),
  ])
  const known = await readLeads(
    sql,
    [overdue, dueSoon, nextActions].flatMap((ids) => ids.slice(0, limit)),
  )
  // the view of leads may be a moment behind that of who waits
  const told = (ids: string[]): TodaysLeads => ({
    count: ids.length,
    leads: ids.slice(0, limit).flatMap((id) => known.get(id) ?? []),
  })
  return { overdue: told(overdue), dueSoon: told(dueSoon), nextActions: told(nextActions) }
}
