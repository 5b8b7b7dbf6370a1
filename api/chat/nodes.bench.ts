import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { type ChatNode, product } from '../../events/local/bench/chat-tabs.ts'
import { NODE_COUNTS, onNodes } from '../../events/local/bench/claims.ts'
import { openConversations } from '../../events/local/bench/conversations.ts'
import { aUnit, type Cost, partsOf, sumOf } from '../../events/local/bench/cost.ts'
import { openMeter } from '../../events/local/bench/meter.ts'
import { OURS, paced, reportSeries } from '../../events/local/bench/reported.ts'
import { startBenchNode } from '../../events/local/bench-nodes.ts'
import { startPostgres } from '../../events/local/postgres.ts'
import { buildWebIfStale } from '../../events/local/web-build.ts'
import { migrate } from '../../events/log/migrate.ts'
import { connect } from '../../events/stores/connection.ts'
import { LostEvents } from './room/lost-events.ts'

/**
 * The processor time of a message on 1, 2, 4 and 8 nodes with the same conversations at the same rate. All are warmed up
 * before. The cost of idle processes is measured before each load and subtracted. Eight nodes need more connections than
 * the benchmarks' Postgres has, so this one starts its own.
 */

const CONVERSATIONS = paced({ full: 100, quick: 20 })
const PER_SECOND = paced({ full: 200, quick: 50 })
const ROUND_MS = paced({ full: 4_000, report: 3_000, quick: 1_000 })
const IDLE_MS = paced({ full: 8_000, report: 5_000, quick: 1_000 })
const ROUNDS = paced({ full: 3, quick: 1 })
const SETTLE_MS = 1_000
/**
 * New nodes run code that V8 has not compiled yet. All send before the test, this long for each node, and no faster than
 * the limit of a chat allows: 800 messages in ten minutes.
 */
const WARM_UP_MS = paced({ full: 1_500, quick: 100 })
const WARM_UP_PER_SECOND = 40 * CONVERSATIONS

await buildWebIfStale(process.cwd())
const folder = mkdtempSync(join(tmpdir(), 'bench-'))
const postgres = await startPostgres({ dataDir: folder, settings: ['max_connections=200'] })
await migrate(postgres.url)
const nodes: ChatNode[] = []
const meter = await openMeter({ DATABASE_URL: postgres.url, REDIS_URL: process.env.REDIS_URL })
/** Each node reads the whole log, to find what Redis may have lost. This one starts where the load starts. */
const readingSql = connect(postgres.url, { max: 1, name: 'bench' })
const allShown = { isLost: () => false, apply: async () => {}, compare: async () => {}, onError: () => {} }
const reader = new LostEvents(readingSql, allShown)
const logBegan = await reader.position()

type Measured = { rounds: Cost[]; idle: Cost }
const measured = new Map<number, Measured>()

const measure = async (): Promise<Measured> => {
  const pids = nodes.map(({ pid }) => pid)
  const conversations = await openConversations(product(nodes), CONVERSATIONS)
  await conversations.talk(WARM_UP_MS * nodes.length, WARM_UP_PER_SECOND)
  await delay(SETTLE_MS)
  const { cost } = await meter.during(pids, () => delay(IDLE_MS))
  const idle = aUnit(cost, IDLE_MS / 1_000)
  const rounds: Cost[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const { result, cost: busy } = await meter.during(pids, () => conversations.talk(ROUND_MS, PER_SECOND))
    const { latencies, seconds } = result
    rounds.push(partsOf((part) => (busy[part] - idle[part] * seconds) / latencies.length))
  }
  conversations.close()
  return { rounds, idle }
}

for (const count of NODE_COUNTS) {
  while (nodes.length < count) nodes.push(await startBenchNode({ DATABASE_URL: postgres.url }))
  measured.set(count, await measure())
}

const { cost: reading } = await meter.during([process.pid], () => reader.readOn())
const read = aUnit(reading, (await reader.position()) - logBegan)

const onAll = <Figure>(figures: (measured: Measured) => Figure[]) =>
  Object.fromEntries([...measured].map(([count, each]) => [onNodes(count), figures(each)]))
reportSeries(
  'nodes-cpu',
  onAll(({ rounds }) => rounds.map(sumOf)),
  onAll(({ rounds }) => rounds),
)
// the input of the model
reportSeries(
  'model-idle',
  {},
  onAll(({ idle }) => [idle]),
)
reportSeries('model-read', {}, { [OURS]: [read] })
reportSeries('model-rate', { [OURS]: [PER_SECOND] })
await readingSql.end()
await Promise.all(nodes.map((node) => node.stop()))
await postgres.stop()
rmSync(folder, { recursive: true, force: true })
process.exit(0)
