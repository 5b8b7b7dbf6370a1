import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { type ChatNode, product } from '../../events/local/bench/chat-tabs.ts'
import { NODE_COUNTS, onNodes } from '../../events/local/bench/claims.ts'
import { openConversations } from '../../events/local/bench/conversations.ts'
import { openMeters } from '../../events/local/bench/meters.ts'
import { OURS, paced, reportSeries } from '../../events/local/bench/reported.ts'
import { startBenchNode } from '../../events/local/bench-nodes.ts'
import { figureOf, median, printTable } from '../../events/local/figures.ts'
import { startPostgres } from '../../events/local/postgres.ts'
import { buildWebIfStale } from '../../events/local/web-build.ts'
import { migrate } from '../../events/log/migrate.ts'
import { connect } from '../../events/stores/connection.ts'
import { LogFollower } from './room/log-follower.ts'

/**
 * The cost of a message on 1, 2, 4 and 8 nodes with the same conversations at the same rate: statements of Postgres,
 * deliveries of Redis, processor time. All are warmed up before. The cost of idle processes is measured before each
 * load and subtracted. Postgres counts the statements by an extension, for which it is restarted here.
 */

const CONVERSATIONS = paced({ full: 100, quick: 20 })
const PER_SECOND = paced({ full: 200, quick: 50 })
const ROUND_MS = paced({ full: 4_000, report: 3_000, quick: 1_000 })
const IDLE_MS = paced({ full: 8_000, report: 5_000, quick: 1_000 })
const ROUNDS = paced({ full: 3, quick: 1 })
const SETTLE_MS = 1_000
/**
 * New nodes run code that V8 has not compiled yet. All send as fast as they can before the test, this long for each
 * node.
 */
const WARM_UP_MS = paced({ full: 1_500, quick: 100 })
/** Processor time is counted in hundredths of a second: one read of the log would be too short to be seen. */
const LOG_READINGS = 10
const MICROSECONDS_A_SECOND = 1_000_000

await buildWebIfStale(process.cwd())
const folder = mkdtempSync(join(tmpdir(), 'bench-'))
const postgres = await startPostgres({
  dataDir: folder,
  settings: ['shared_preload_libraries=pg_stat_statements', 'max_connections=200'],
})
await migrate(postgres.url)
const nodes: ChatNode[] = []
const meters = await openMeters({ databaseUrl: postgres.url, redisUrl: process.env.REDIS_URL ?? '', dataDir: folder })
/**
 * Each node reads the whole log, to find what Redis may have lost. These start at the position where the load starts.
 */
const readingSql = connect(postgres.url, { max: 1, name: 'bench' })
const allShown = { isLost: () => false, apply: async () => {}, compare: async () => {}, onError: () => {} }
const logReaders = Array.from({ length: LOG_READINGS }, () => new LogFollower(readingSql, allShown))
const logBegan = await Promise.all(logReaders.map((reader) => reader.position())).then(([position = 0]) => position)
const measured = new Map<number, Awaited<ReturnType<typeof measure>>>()

const measure = async () => {
  const pids = nodes.map(({ pid }) => pid)
  const peer = product(nodes)
  const conversations = await openConversations(peer, CONVERSATIONS)
  await conversations.talk(WARM_UP_MS * nodes.length)
  await delay(SETTLE_MS)
  const idleBegan = await meters.read(pids)
  await delay(IDLE_MS)
  const idle = meters.between(idleBegan, await meters.read(pids))
  const idleSeconds = IDLE_MS / 1_000
  const rounds = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const began = await meters.read(pids)
    const { latencies, seconds } = await conversations.talk(ROUND_MS, PER_SECOND)
    const busy = meters.between(began, await meters.read(pids))
    const aMessage = (figure: keyof typeof busy) =>
      (busy[figure] - (idle[figure] / idleSeconds) * seconds) / latencies.length
    rounds.push({
      statements: aMessage('statements'),
      deliveries: aMessage('deliveries'),
      nodes: aMessage('nodes'),
      postgres: aMessage('postgres'),
      redis: aMessage('redis'),
    })
  }
  conversations.close()
  const aSecond = (figure: keyof typeof idle) => idle[figure] / idleSeconds
  return {
    rounds,
    idle: { nodes: aSecond('nodes'), postgres: aSecond('postgres'), redis: aSecond('redis') },
  }
}

for (const count of NODE_COUNTS) {
  while (nodes.length < count) nodes.push(await startBenchNode({ DATABASE_URL: postgres.url }))
  measured.set(count, await measure())
}

const readingBegan = await meters.read([process.pid])
for (const reader of logReaders) await reader.readOn()
const reading = meters.between(readingBegan, await meters.read([process.pid]))
const logEnded = (await logReaders[0]?.position()) ?? logBegan
const anEvent = (microseconds: number) => microseconds / ((logEnded - logBegan) * LOG_READINGS)

type Measured = Awaited<ReturnType<typeof measure>>
type Round = Measured['rounds'][number]
const onAll = (figures: (measured: Measured) => number[]) =>
  Object.fromEntries([...measured].map(([count, each]) => [onNodes(count), figures(each)]))
const ofRounds = (figure: (round: Round) => number) => onAll(({ rounds }) => rounds.map(figure))
const cpuOf = (round: Round) => round.nodes + round.postgres + round.redis
const series = {
  'nodes-statements': ofRounds(({ statements }) => statements),
  'nodes-deliveries': ofRounds(({ deliveries }) => deliveries),
  'nodes-cpu': ofRounds(cpuOf),
}
for (const [claim, figures] of Object.entries(series)) reportSeries(claim, figures)
// the input of the model
for (const part of ['nodes', 'postgres', 'redis'] as const) {
  reportSeries(
    `model-message-${part}`,
    ofRounds((round) => round[part]),
  )
  reportSeries(
    `model-idle-${part}`,
    onAll(({ idle }) => [idle[part]]),
  )
}
reportSeries('model-read-nodes', { [OURS]: [anEvent(reading.nodes)] })
reportSeries('model-read-postgres', { [OURS]: [anEvent(reading.postgres)] })
reportSeries('model-rate', { [OURS]: [PER_SECOND] })
printTable(
  ['a message', 'statements', 'deliveries', 'CPU µs', 'of it nodes', 'Postgres', 'Redis', 'idle nodes, % of a core'],
  [...measured].map(([count, { rounds, idle }]) => [
    onNodes(count),
    ...([({ statements }: Round) => statements, ({ deliveries }: Round) => deliveries] as const).map((figure) =>
      median(rounds.map(figure)).toFixed(2),
    ),
    median(rounds.map(cpuOf)).toFixed(0),
    ...(['nodes', 'postgres', 'redis'] as const).map((part) => median(rounds.map((round) => round[part])).toFixed(0)),
    figureOf((idle.nodes * 100) / MICROSECONDS_A_SECOND),
  ]),
)
await Promise.all([meters.close(), readingSql.end()])
await Promise.all(nodes.map((node) => node.stop()))
await postgres.stop()
rmSync(folder, { recursive: true, force: true })
process.exit(0)
