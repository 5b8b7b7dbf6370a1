import process from 'node:process'
import { UNDER_LOCK } from '../local/bench/claims.ts'
import { OURS, paced, reportSeries } from '../local/bench/reported.ts'
import { interleaved, seriesOf } from '../local/bench/rounds.ts'
import { openWriters } from '../local/bench/writers.ts'
import { median, printTable } from '../local/figures.ts'
import { connect } from '../stores/connection.ts'
import { migrate } from './migrate.ts'

/**
 * Appending from 16 processes while each flush of the disk takes 2 ms, simulated by `commit_delay`. The peer is the
 * earlier log: the same function, which waits for the disk while it holds the head's lock. Each process has 4 callers,
 * so a batch has 4 events at most.
 */

const PROCESSES = 16
const CALLERS = 4
const FLUSH_US = 2_000
const ROUND_MS = paced({ full: 3_000, report: 2_500, quick: 700 })
const ROUNDS = paced({ full: 5, report: 4, quick: 1 })

const databaseUrl = process.env.DATABASE_URL ?? ''

/** Takes the lock and holds it until the commit is on the disk. */
const FLUSHES_OUTSIDE = 'waits_for_disk := is_alone and pg_try_advisory_xact_lock(7283109);'
const FLUSHES_UNDER_LOCK = 'perform pg_advisory_xact_lock(7283109); waits_for_disk := true;'

/** Creates a migrated database, next to this benchmark's own, on which a flush takes 2 ms. */
const makeDatabase = async (suffix: string): Promise<string> => {
  const url = new URL(databaseUrl)
  url.pathname += suffix
  const name = url.pathname.slice(1)
  const sql = connect(databaseUrl, { max: 1, name: 'bench' })
  await sql`create database ${sql(name)}`
  await sql.unsafe(`
    alter database ${name} set commit_delay = ${FLUSH_US};
    alter database ${name} set commit_siblings = 0`)
  await sql.end()
  await migrate(url.href)
  return url.href
}

const flushUnderLock = async (url: string) => {
  const sql = connect(url, { max: 1, name: 'bench' })
  const [{ source = '' } = {}] = await sql<{ source: string }[]>`
    select pg_get_functiondef('append_events'::regproc) as source`
  const changed = source.replace(FLUSHES_OUTSIDE, FLUSHES_UNDER_LOCK)
  if (changed === source) throw new Error('append_events takes its lock in another way now: mend this benchmark')
  await sql.unsafe(changed)
  await sql.end()
}

const outside = await makeDatabase('_outside')
const underLock = await makeDatabase('_under_lock')
await flushUnderLock(underLock)
const writers = await openWriters({ processes: PROCESSES, callers: CALLERS })
const ways = [
  { name: OURS, url: outside },
  { name: UNDER_LOCK, url: underLock },
]
const rounds = await interleaved(ways, ROUNDS, ({ url }) => writers.write(url, ROUND_MS))
const perSecond = seriesOf(
  ways.map(({ name }) => name),
  rounds,
  (round) => round.perSecond,
)
reportSeries('writers', perSecond)
printTable(
  [`${PROCESSES} processes, ${FLUSH_US / 1_000} ms a flush`, 'events/s', 'p50 ms', 'ratio', 'wanted'],
  ways.map(({ name }, index) => {
    const own = rounds[index] ?? []
    const ratio = median(own.map((round, at) => round.perSecond / (rounds[1]?.[at]?.perSecond ?? Number.NaN)))
    const figures = [
      median(own.map((round) => round.perSecond)).toFixed(0),
      median(own.map(({ p50 }) => p50)).toFixed(1),
    ]
    return [name, ...figures, ratio.toFixed(1), index === 0 ? 'at least 6' : '']
  }),
)
await writers.stop()
process.exit(0)
