import { addDays, agencyDay, startOfDay } from '../../base/agency-day.ts'
import { CHAT_SCORES, type ChatScore } from '../../chat/rating.ts'
import type { Queryable } from '../../log/read.ts'
import { schemaOf } from '../../projections/projection.ts'
import { overdueBefore } from '../../settings/support-hours-history.ts'
import { inTransaction, type Sql } from '../../stores/connection.ts'
import { type LeadFacts, type Overview, REPLY_TIMES } from '../screens/overview.ts'
import { overviewProjection, readHours } from './overview.ts'

const view = (tx: Queryable) => tx(schemaOf(overviewProjection))

type Range = { from: string; asOf: string }

const readCounts = (tx: Queryable, { from, asOf }: Range) =>
  tx<{ dimension: string; day: string | null; key: string; leads: number; won: number }[]>`
    select dimension, case when dimension = 'source' then submitted_on::text end as day, key,
      sum(leads)::bigint as leads, sum(won)::bigint as won
    from ${view(tx)}.counts
    where submitted_on between ${from}::date and ${asOf}::date and recorded_on <= ${asOf}::date
    group by 1, 2, 3 having sum(leads) > 0 order by day, leads desc, key`

const readWon = (tx: Queryable, { from, asOf }: Range) =>
  tx<{ day: string; leads: number; cents: number }[]>`
    select won_on::text as day, sum(leads)::bigint as leads, sum(cents)::bigint as cents from ${view(tx)}.won
    where won_on between ${from}::date and ${asOf}::date and recorded_on <= ${asOf}::date
    group by won_on having sum(leads) > 0 order by won_on`

const readRatings = (tx: Queryable, { from, asOf }: Range) =>
  tx<{ score: ChatScore; ratings: number }[]>`
    select score, sum(ratings)::bigint as ratings from ${view(tx)}.chat_ratings
    where rated_on between ${from}::date and ${asOf}::date group by score`

/** How many leads of the range still wait at its end, and have for longer than was promised. */
const countOverdue = async (tx: Queryable, { from, asOf }: Range, now: Date) => {
  const end = startOfDay(addDays(asOf, 1))
  const at = now < end ? now : end
  const history = (await readHours(tx, schemaOf(overviewProjection))).filter(({ validFrom }) => validFrom < at)
  const lastOverdue = overdueBefore(history, { earliest: startOfDay(from), now: at })
  if (!lastOverdue) return 0
  const day = agencyDay(lastOverdue)
  const [row] = await tx<{ leads: number }[]>`
    select (
      select coalesce(sum(leads), 0) from ${view(tx)}.counts
      where dimension = 'reply' and key = 'waiting' and submitted_on >= ${from}::date and submitted_on < ${day}::date
        and recorded_on <= ${asOf}::date
    )::bigint + (
      select count(*) from ${view(tx)}.facts
      where reply_time = 'waiting' and submitted_at between ${startOfDay(day)} and ${lastOverdue}
        and valid_from < ${end} and valid_to >= ${end} and not is_suspect and not is_erased
        and not is_merged
    ) as leads`
  return row?.leads ?? 0
}

const inTotal = <Key extends string>(rows: { key: Key; leads: number; won: number }[]) =>
  [...Map.groupBy(rows, ({ key }) => key)]
    .map(([key, ofKey]) => ({
      key,
      leads: ofKey.reduce((sum, { leads }) => sum + leads, 0),
      won: ofKey.reduce((sum, { won }) => sum + won, 0),
    }))
    .sort((a, b) => b.leads - a.leads || a.key.localeCompare(b.key))

/**
 * The overview of a number of days up to and including `asOf` (yyyy-mm-dd in the agency's time zone), as of the end of
 * that day; of today, as of `now`. All figures are of one moment of the view.
 */
export const readOverview = (
  sql: Sql,
  { asOf, days, now }: { asOf: string; days: number; now: Date },
): Promise<Omit<Overview, 'recurring'>> =>
  inTransaction(sql, async (tx) => {
    await tx`set transaction isolation level repeatable read read only`
    const from = addDays(asOf, 1 - days)
    const range = { from, asOf }
    const counts = await readCounts(tx, range)
    const won = await readWon(tx, range)
    const ratings = new Map((await readRatings(tx, range)).map((row) => [row.score, row.ratings]))
    const overdue = await countOverdue(tx, range, now)
    const of = (dimension: string) => counts.filter((row) => row.dimension === dimension)
    const sources = inTotal(of('source') as { key: LeadFacts['source']; leads: number; won: number }[])
    const packages = inTotal(of('package') as { key: LeadFacts['package']; leads: number; won: number }[])
    const replies = new Map(of('reply').map(({ key, leads }) => [key, leads]))
    return {
      asOf,
      from,
      leads: sources.reduce((sum, { leads }) => sum + leads, 0),
      daily: of('source').map(({ day, key, leads }) => ({
        day: day ?? '',
        source: key as LeadFacts['source'],
        leads,
      })),
      sources: sources.map(({ key, ...sums }) => ({ source: key, ...sums })),
      packages: packages.map(({ key, ...sums }) => ({ package: key, ...sums })),
      replies: REPLY_TIMES.map((time) => ({ time, leads: replies.get(time) ?? 0 })),
      overdue,
      chatRatings: CHAT_SCORES.map((score) => ({ score, ratings: ratings.get(score) ?? 0 })),
      won: {
        leads: won.reduce((sum, { leads }) => sum + leads, 0),
        value: won.reduce((sum, { cents }) => sum + cents, 0) / 100,
        daily: won.map(({ day, leads, cents }) => ({ day, leads, value: cents / 100 })),
      },
    }
  })
