import { randomUUID } from 'node:crypto'
import { loadavg } from 'node:os'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import * as v from 'valibot'
import { rebuildProjection } from '../../consumers/rebuild.ts'
import { figureOf, median, printTable, quantile } from '../../local/figures.ts'
import { openAppender } from '../../log/append.ts'
import { migrate } from '../../log/migrate.ts'
import { prepareProjection, project, schemaOf } from '../../projections/projection.ts'
import { fileTrigrams } from '../../projections/trigrams.ts'
import { connect } from '../../stores/connection.ts'
import { TEST_KEYS } from '../../testing/keys.ts'
import { leadForm } from '../form/form.ts'
import { leadStreams, submitLead } from '../lead.ts'
import { listLeads } from './lead-list.ts'
import { leadsProjection } from './view.ts'

/**
 * New leads of random words folded into the running view, batch after batch, while the worker's round files them in the
 * index, with searches at the same time. The peer files each lead in the index immediately.
 *
 * Measured on a noisy machine with two cores, with the searches of the same time included: 8,400 leads/s on Postgres 18
 * (10,000 in the best round) and 11,700 on 15; 5.8 and 6.0 times filing each lead in the index immediately.
 */

const FILLED = 20_000
const LIVE = 20_000
const PEER = 3_000
const CALLERS = 256
const ROUNDS = 3
const FILE_EVERY_MS = 1_000
const SEARCH_EVERY_MS = 50
const REQUIRED_PER_SECOND = 10_000
const WANTED_SEARCH_MS = 50

const databaseUrl = process.env.DATABASE_URL ?? ''
await migrate(databaseUrl)
const sql = connect(databaseUrl, { max: 6, name: 'bench', keys: TEST_KEYS })
const [server] = await sql<{ version: string }[]>`select split_part(version(), ' ', 2) as version`
process.stdout.write(`  Postgres ${server?.version}\n`)

const letters = 'abcdefghijklmnopqrstuvwxyz'
const anyOf = (text: string) => text.charAt(Math.floor(Math.random() * text.length))
const word = (length: number) => Array.from({ length }, () => anyOf(letters)).join('')

const append = async (count: number) => {
  const log = openAppender(databaseUrl, { keys: TEST_KEYS })
  const one = () => {
    const leadId = randomUUID()
    const form = v.parse(leadForm, {
      name: `${word(6)} ${word(8)}`,
      email: `${word(8)}@${word(6)}.example`,
      phone: `0${Array.from({ length: 9 }, () => anyOf('123456789')).join('')}`,
      company: `${word(7)} ${word(5)}`,
      message: 'We want people to find our opening hours and order online.',
      package: 'professional',
      leadSource: 'hero_form',
    })
    const events = [{ id: randomUUID(), ...submitLead({ leadId, form }) }]
    return log.append({ stream: leadStreams.of(leadId), expectedVersion: 0, events })
  }
  for (let done = 0; done < count; done += CALLERS) await Promise.all(Array.from({ length: CALLERS }, one))
  await log.close()
}

/** Folds in all pending events. Returns leads per second. */
const takeIn = async () => {
  const begin = performance.now()
  let leads = 0
  for (;;) {
    const { events, hasMore } = await project(sql, leadsProjection)
    leads += events
    if (!hasMore) return (leads * 1000) / (performance.now() - begin)
  }
}

/** The worker's other work during that time, and the searches of staff. */
const searches: number[] = []
const beside = async (work: () => Promise<number>) => {
  let isOver = false
  const every = async (ms: number, once: () => Promise<unknown>) => {
    while (!isOver) {
      await once()
      await delay(ms)
    }
  }
  const search = async () => {
    const begin = performance.now()
    await listLeads(sql, { sort: 'desc', q: word(3) }, { limit: 50 })
    searches.push(performance.now() - begin)
  }
  const others = [every(FILE_EVERY_MS, () => fileTrigrams(sql, leadsProjection)), every(SEARCH_EVERY_MS, search)]
  const result = await work()
  isOver = true
  await Promise.all(others)
  return result
}

await append(FILLED)
await sql`vacuum analyze events`
await prepareProjection(sql, leadsProjection)
await rebuildProjection({ databaseUrl, keys: TEST_KEYS }, leadsProjection)

const rounds: { ours: number; peer: number }[] = []
const index = `${schemaOf(leadsProjection)}.entries_search_idx`
for (let round = 0; round < ROUNDS; round += 1) {
  await append(LIVE)
  const ours = await beside(takeIn)
  await fileTrigrams(sql, leadsProjection)
  await append(PEER)
  await sql.unsafe(`alter index ${index} set (fastupdate = off)`)
  rounds.push({ ours, peer: await takeIn() })
  await sql.unsafe(`alter index ${index} set (fastupdate = on)`)
}
const ours = rounds.map((round) => round.ours)
const load = loadavg()[0]?.toFixed(1)
printTable(
  ['new leads of random words', 'leads/s', 'best', 'ratio', 'wanted'],
  [
    [
      'filed in the index each second',
      median(ours).toFixed(0),
      Math.max(...ours).toFixed(0),
      median(rounds.map((round) => round.ours / round.peer)).toFixed(1),
      `at least ${REQUIRED_PER_SECOND}`,
    ],
    ['filed in the index at once', median(rounds.map(({ peer }) => peer)).toFixed(0), '', '1.0', ''],
  ],
)
printTable(
  ['searches meanwhile, ms', 'p50', 'p95', 'wanted'],
  [
    [
      'any three letters',
      figureOf(median(searches)),
      figureOf(quantile(searches, 0.95)),
      `p95 under ${WANTED_SEARCH_MS}`,
    ],
  ],
)
process.stdout.write(`  load average ${load}\n`)
await sql.end()
