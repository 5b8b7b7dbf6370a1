import type { Sent } from '../../base/word.ts'
import { schemaOf } from '../../projections/projection.ts'
import { overdueBefore } from '../../settings/support-hours-history.ts'
import { REPLY_WITHIN_MS } from '../../settings/support-time.ts'
import type { Sql } from '../../stores/connection.ts'
import { type LeadAlert, leadAlertStreams } from '../email/alert.ts'
import { leadStreams } from '../lead.ts'
import type { waitingLeads } from '../wire.ts'
import { overviewProjection, readHours } from './overview.ts'

/** Waiting leads are counted up to this number: a larger number would not help more. */
export const MAX_COUNTED_LEADS = 100
/** How many of the newest are named. */
const NAMED_LEADS = 20
/** Leads that have waited longer are overdue under any possible support hours. */
const LONGEST_PROMISE_MS = 366 * 24 * 60 * 60 * 1000

const view = (sql: Sql) => sql(schemaOf(overviewProjection))

/** The leads without a reply, as an index of its own holds them; flagged leads and erased people are not among them. */
const waiting = (sql: Sql) => sql`
  from ${view(sql)}.facts
  where reply_time = 'waiting' and valid_to = 'infinity' and not is_suspect and not is_erased
    and not is_merged`

const readNewest = (sql: Sql) =>
  sql<{ id: string; submittedAt: Date }[]>`
    select lead_id as id, submitted_at as "submittedAt" ${waiting(sql)}
    order by submitted_at desc limit ${MAX_COUNTED_LEADS}`

const readOldest = async (sql: Sql) => {
  const [row] = await sql<{ submittedAt: Date }[]>`
    select submitted_at as "submittedAt" ${waiting(sql)} order by submitted_at limit 1`
  return row?.submittedAt
}

const countUntil = async (sql: Sql, until: Date) => {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count
    from (select ${waiting(sql)} and submitted_at <= ${until} limit ${MAX_COUNTED_LEADS}) as overdue`
  return row?.count ?? 0
}

const waitedLonger = async (sql: Sql, { oldest, now, thanMs }: { oldest: Date; now: Date; thanMs: number }) => {
  const history = await readHours(sql, schemaOf(overviewProjection))
  const earliest = new Date(Math.max(oldest.getTime(), now.getTime() - LONGEST_PROMISE_MS))
  return overdueBefore(history, { earliest, now, replyWithinMs: thanMs })
}

/**
 * The last instant from which a lead that still waits for its first reply has at most this much of the promised support
 * time left, in ms: none for overdue leads. Undefined if there is no such lead.
 */
export const lastDueWithin = async (sql: Sql, leftMs: number, now: Date): Promise<Date | undefined> => {
  const oldest = await readOldest(sql)
  return oldest && (await waitedLonger(sql, { oldest, now, thanMs: REPLY_WITHIN_MS - leftMs }))
}

/**
 * The leads that wait for their first reply: how many, how many of them for longer than promised (both counted up to
 * 100), and the newest, newest first. The cost does not grow with the leads that were answered.
 */
export const readWaitingLeads = async (sql: Sql, now: Date): Promise<Sent<typeof waitingLeads>> => {
  const [newest, oldest] = await Promise.all([readNewest(sql), readOldest(sql)])
  if (!oldest) return { count: 0, overdue: 0, newest: [] }
  const lastOverdue = await waitedLonger(sql, { oldest, now, thanMs: REPLY_WITHIN_MS })
  return {
    count: newest.length,
    overdue: lastOverdue ? await countUntil(sql, lastOverdue) : 0,
    newest: newest.slice(0, NAMED_LEADS).map(({ id, submittedAt }) => ({ id, timestamp: submittedAt.toISOString() })),
  }
}

/** A time in which leads came: after an instant, exclusive, and until another. */
export type Interval = { after?: Date | undefined; until: Date }

/**
 * The leads that wait for their first reply and came between two instants, at most MAX_COUNTED_LEADS, the longest
 * waiting first.
 */
export const waitingBetween = async (sql: Sql, { after, until }: Interval): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    select lead_id as id ${waiting(sql)} and submitted_at <= ${until}
      ${after ? sql`and submitted_at > ${after}` : sql``}
    order by submitted_at limit ${MAX_COUNTED_LEADS}`
  return rows.map(({ id }) => id)
}

/**
 * The last instant before which leads have waited for more than this much support time; undefined if that is before
 * `from`.
 */
export const waitedLongerBefore = async (
  sql: Sql,
  { from, now, waitedMs }: { from: Date; now: Date; waitedMs: number },
): Promise<Date | undefined> => {
  const history = await readHours(sql, schemaOf(overviewProjection))
  return overdueBefore(history, { earliest: from, now, replyWithinMs: waitedMs })
}

/**
 * The leads that came between two instants, still wait, and have no such alert to staff yet; oldest first. Imported
 * leads are not among them: the staff member who imported them knows.
 */
export const leadsToAlertStaffOf = async (
  sql: Sql,
  alert: LeadAlert,
  { from, to }: { from: Date; to: Date },
  limit: number,
): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    select lead_id as id ${waiting(sql)} and submitted_at between ${from} and ${to} and not exists (
      select from events where stream = ${leadAlertStreams.of('')} || lead_id and type in ('LeadAlertRequested', 'LeadPushRequested')
        and data ->> 'alert' = ${alert}
    ) and (source <> 'import' or not exists (
      select from events where stream = ${leadStreams.of('')} || lead_id and version = 1 and type = 'LeadEntered'
        and data ->> 'importId' is not null
    ))
    order by submitted_at limit ${limit}`
  return rows.map(({ id }) => id)
}
