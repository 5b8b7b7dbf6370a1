import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { lastWords, startGuarded } from '../local/guard.ts'
import { freePort } from '../local/port.ts'
import { findRedisProgram } from '../local/redis-programs.ts'
import { makeTestFolder, TEST_REDIS_PROGRAMS } from './folders.ts'
import { eventually } from './node.ts'

/** A node of a Cluster takes the port that is 10,000 higher too. */
const LAST_PORT = 55_535
const SLOTS = 16_384
/** After this long without a response a server counts as down. */
const DOWN_AFTER_MS = 1_000
/** As Sentinel calls the master and its replicas. */
const GROUP = 'agency'

/** One of several Redis servers on loopback. */
export type TestRedis = {
  port: number
  /** A connection to it. */
  redis: Redis
  /** Ends it at once, like a machine that loses its power. */
  kill: () => Promise<void>
}

/** Redis servers that belong together. They end with the test, however it ends. */
export type TestRedisGroup = {
  /** The product's REDIS_URL. */
  url: string
  /** The server that writes go to now. */
  master: TestRedis
  /** All that take writes, each for its share. */
  masters: TestRedis[]
  stop: () => Promise<void>
}

const portForCluster = async (): Promise<number> => {
  const port = await freePort()
  return port <= LAST_PORT ? port : portForCluster()
}

const findProgram = () => findRedisProgram(TEST_REDIS_PROGRAMS, (line) => process.stdout.write(`${line}\n`))

/**
 * Whether several Redis servers can be run: they need the program, as separate containers would not find each other.
 */
export const canRunRedisGroups = async (): Promise<boolean> => {
  const program = await findProgram().catch(() => undefined)
  if (program?.kind === 'program') return true
  process.stdout.write('Not tested: Sentinel and Cluster, which need redis-server on this machine\n')
  return false
}

const openServers = async () => {
  const program = await findProgram()
  if (program.kind !== 'program') throw new Error('There is no redis-server on this machine')
  const { command, env } = program
  const folder = makeTestFolder()
  const started: TestRedis[] = []

  const start = async (settings: string[], ...args: string[]): Promise<TestRedis> => {
    const port = await portForCluster()
    const cwd = join(folder, String(port))
    mkdirSync(cwd)
    const common = ['bind 127.0.0.1', `port ${port}`, 'save ""', 'maxmemory-policy noeviction']
    writeFileSync(join(cwd, 'redis.conf'), [...common, ...settings, ''].join('\n'))
    const signals = { stopSignal: 'TERM', lastSignal: 'KILL' } as const
    const logFile = join(cwd, 'redis.log')
    const server = startGuarded({ command, args: ['redis.conf', ...args], cwd, env, logFile, ...signals })
    const redis = new Redis({ host: '127.0.0.1', port, maxRetriesPerRequest: null })
    redis.on('error', () => {})
    const failed = server.ended.then((how) => {
      throw new Error(
        `A Redis server ended before it was ready (${how}): ${lastWords(logFile, /fatal|error|could not/i)}`,
      )
    })
    const pid = Number(/process_id:(\d+)/.exec(await Promise.race([redis.info('server'), failed]))?.[1])
    const kill = async () => {
      redis.disconnect()
      if (!server.hasEnded()) process.kill(pid, 'SIGKILL')
      await server.ended
    }
    const one = { port, redis, kill }
    started.push(one)
    return one
  }

  const stop = async () => {
    await Promise.all(started.map((each) => each.kill()))
    rmSync(folder, { recursive: true, force: true })
  }
  return { start, stop }
}

const isReplica = async ({ redis }: TestRedis) => {
  const text = await redis.info('replication')
  if (!text.includes('master_link_status:up')) throw new Error(`The replica has not caught up: ${text}`)
}

/** Starts a master, a replica and three sentinels that put the replica in the master's place. */
export const startSentinelGroup = async (): Promise<TestRedisGroup> => {
  const { start, stop } = await openServers()
  const master = await start([])
  const replica = await start([`replicaof 127.0.0.1 ${master.port}`])
  await eventually(() => isReplica(replica))
  const settings = [
    `sentinel monitor ${GROUP} 127.0.0.1 ${master.port} 2`,
    `sentinel down-after-milliseconds ${GROUP} ${DOWN_AFTER_MS}`,
  ]
  const sentinels = await Promise.all([1, 2, 3].map(() => start(settings, '--sentinel')))
  await eventually(async () => {
    for (const { redis } of sentinels) {
      const [others, replicas] = [
        await redis.call('SENTINEL', 'SENTINELS', GROUP),
        await redis.call('SENTINEL', 'REPLICAS', GROUP),
      ]
      if ((others as []).length < 2 || (replicas as []).length < 1)
        throw new Error('The sentinels do not know each other')
    }
  })
  const hosts = sentinels.map(({ port }) => `127.0.0.1:${port}`).join()
  return { url: `redis+sentinel://${hosts}/${GROUP}`, master, masters: [master], stop }
}

/**
 * Starts a Cluster of three masters, and a replica of the one that holds the slot of `key`. `kind` sets whether its
 * shards carry pub/sub.
 */
export const startRedisCluster = async (
  key: string,
  kind: 'cluster' | 'sharded' = 'cluster',
): Promise<TestRedisGroup> => {
  const { start, stop } = await openServers()
  const settings = ['cluster-enabled yes', `cluster-node-timeout ${DOWN_AFTER_MS}`]
  const masters = await Promise.all([1, 2, 3].map(() => start(settings)))
  const replica = await start([...settings, 'cluster-replica-validity-factor 0'])
  const [first] = masters as [TestRedis, ...TestRedis[]]
  const size = Math.ceil(SLOTS / masters.length)
  for (const [index, { redis }] of masters.entries()) {
    const from = index * size
    await redis.cluster('ADDSLOTS', ...Array.from({ length: Math.min(size, SLOTS - from) }, (_, slot) => from + slot))
  }
  const all = [...masters, replica]
  for (const { port } of all.slice(1)) await first.redis.cluster('MEET', '127.0.0.1', port)
  await eventually(async () => {
    for (const { redis } of all) {
      const text = await redis.cluster('INFO')
      if (!/cluster_state:ok.*cluster_known_nodes:4/s.test(text)) throw new Error(`No Cluster yet: ${text}`)
    }
  })
  const slot = await first.redis.cluster('KEYSLOT', key)
  const master = masters[Math.floor(slot / size)] as TestRedis
  await replica.redis.cluster('REPLICATE', await master.redis.cluster('MYID'))
  await eventually(() => isReplica(replica))
  return { url: `redis+${kind}://${masters.map(({ port }) => `127.0.0.1:${port}`).join()}`, master, masters, stop }
}
