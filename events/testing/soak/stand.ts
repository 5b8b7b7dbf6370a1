import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { Redis } from 'ioredis'
import { keepRunning, type Running, type Supervised } from '../../local/keep-running.ts'
import { freePort } from '../../local/port.ts'
import { startPostgres } from '../../local/postgres.ts'
import { startRedis } from '../../local/redis.ts'
import { migrate } from '../../log/migrate.ts'
import { openTestService, type TestService } from '../email-service.ts'
import { type FaultProxy, openFaultProxy } from '../fault-proxy.ts'
import { isAlive, makeTestFolder, TEST_REDIS_PROGRAMS } from '../folders.ts'
import { TEST_DATA_KEY } from '../keys.ts'
import { startTestProcess } from '../process.ts'
import { loseNews } from './lost-news.ts'
import { openRoom, type Room } from './room.ts'

export const STAFF = { username: 'thandi', password: 'a long enough password' }

/** The one origin that the nodes accept. */
export const ORIGIN = 'http://soak.example'

const NODES = 2
const WORKERS = 2
/** Small, so that the write-ahead log of a long soak fits on a small disk. */
const POSTGRES_SETTINGS = ['max_wal_size=256MB']
const RUNTIME_USER = 'agency_soak'
const RUNTIME_PASSWORD = 'runtime'
const EMAILS_PER_MINUTE = '3000'
const EMAILS_AT_ONCE = '10'
const MOVED_CLOCK = `--import=${pathToFileURL(join(import.meta.dirname, 'moved-clock.ts')).href}`

/** A process of the product that is started again whenever it ends. */
export type KeptProcess = Supervised<Running & { pid: number }> & { name: string }

/** All that a soak strikes: the product's processes, with a proxy on every line between them, and its stores. */
export type Stand = {
  ownerUrl: string
  nodes: KeptProcess[]
  workers: KeptProcess[]
  /** Before each node: the entry of clients. */
  fronts: FaultProxy[]
  /** Between each node and worker and Postgres. */
  postgresLines: FaultProxy[]
  /** Between all of them and Redis. */
  redisLine: FaultProxy
  /** The part of the published messages that Redis loses. */
  news: { lostShare: number }
  emailService: TestService
  /** The disk of Postgres; undefined if this machine does not allow its own. */
  room: Room | undefined
  /** Kills Postgres with all its processes; false if it does not run now. */
  killPostgres: () => boolean
  /** Kills Redis, which comes back without its data; false if it does not run now. */
  emptyRedis: () => Promise<boolean>
  /** The newest output of each process to standard error. */
  printed: () => string
  /** The processes that ended by themselves, and how; killed ones are not among them. */
  ownEnds: string[]
  /** Ends nodes and workers, as a deployment does. */
  stopProcesses: () => Promise<void>
  close: () => Promise<void>
}

const runtimeAddress = (ownerUrl: string) => {
  const url = new URL(ownerUrl)
  url.username = RUNTIME_USER
  url.password = RUNTIME_PASSWORD
  return url.href
}

type Closing = () => unknown

const PRINTED_CHARACTERS = 2_000

/** Starts everything and keeps it running; `say` gets a line when something is started again. */
export const openStand = async (say: (line: string) => void): Promise<Stand> => {
  const folder = makeTestFolder()
  const closing: Closing[] = [() => rmSync(folder, { recursive: true, force: true })]
  const close = async () => {
    for (const end of closing.splice(0).reverse()) await end()
  }
  try {
    return await build(folder, closing, { print: say, close })
  } catch (error) {
    await close()
    throw error
  }
}

const build = async (
  folder: string,
  closing: Closing[],
  { print, close }: { print: (line: string) => void; close: () => Promise<void> },
): Promise<Stand> => {
  const postgresFolder = join(folder, 'p')
  mkdirSync(postgresFolder, { mode: 0o711 })
  const room = openRoom(postgresFolder)
  if (room) closing.push(room.close)
  let isRedisEmptied = false
  const redisFolder = join(folder, 'r')
  let [postgresPort, redisPort]: (number | undefined)[] = []

  const postgres = await keepRunning(
    'Postgres',
    async () => {
      const service = await startPostgres({ dataDir: postgresFolder, port: postgresPort, settings: POSTGRES_SETTINGS })
      postgresPort = Number(new URL(service.url).port)
      return service
    },
    print,
  )
  closing.push(postgres.stop)
  const redis = await keepRunning(
    'Redis',
    async () => {
      if (isRedisEmptied) rmSync(join(redisFolder, 'redis', 'appendonlydir'), { recursive: true, force: true })
      isRedisEmptied = false
      const options = { dataDir: redisFolder, port: redisPort, print, programs: TEST_REDIS_PROGRAMS }
      const service = await startRedis(options)
      redisPort = Number(new URL(service.url).port)
      return service
    },
    print,
  )
  closing.push(redis.stop)
  const ownerUrl = postgres.current().url
  const runtimeUrl = runtimeAddress(ownerUrl)
  await migrate(ownerUrl, { runtimeUrl })

  const news = { lostShare: 0 }
  const redisLine = await openFaultProxy(redis.current().url, {
    answers: () => loseNews(() => Math.random() < news.lostShare),
  })
  closing.push(redisLine.close)
  const emailService = await openTestService()
  closing.push(emailService.close)

  const printed = new Map<string, () => string>()
  const ownEnds: string[] = []
  const postgresLines: FaultProxy[] = []
  const secret = randomBytes(16).toString('hex')
  const keep = async (name: string, script: string, env: Record<string, string>): Promise<KeptProcess> => {
    const line = await openFaultProxy(runtimeUrl)
    closing.push(line.close)
    postgresLines.push(line)
    const environment = {
      DATABASE_URL: line.url,
      REDIS_URL: redisLine.url,
      SESSION_SECRET: secret,
      DATA_KEY: TEST_DATA_KEY,
      PUBLIC_URL: ORIGIN,
      LOG_LEVEL: 'warn',
      NODE_OPTIONS: MOVED_CLOCK,
      ...env,
    }
    const start = async () => {
      const { pid, printed: text, ended, stop } = await startTestProcess(script, environment)
      printed.set(name, text)
      const how = ended.then(({ status }) => {
        if (status === null) return 'killed'
        if (status !== 0) ownEnds.push(`${name} with status ${status}: ${text().trim().split('\n').at(-1)}`)
        return `exit status ${status}`
      })
      return { pid, ended: how, stop }
    }
    return { name, ...(await keepRunning(name, start, print)) }
  }

  const fronts: FaultProxy[] = []
  const startNode = async (number: number) => {
    const port = await freePort()
    const front = await openFaultProxy(`http://127.0.0.1:${port}`)
    closing.push(front.close)
    fronts.push(front)
    const staff = { STAFF_USERNAME: STAFF.username, STAFF_PASSWORD: STAFF.password }
    return await keep(`node ${number}`, 'api/process/main.ts', {
      PORT: String(port),
      NODES: '1',
      TRUST_PROXY: '1',
      ...staff,
    })
  }
  const startWorker = (number: number) =>
    keep(`worker ${number}`, 'worker/main.ts', {
      EMAIL_FORWARD_URL: emailService.url,
      EMAIL_SERVICE_PER_MINUTE: EMAILS_PER_MINUTE,
      EMAIL_SERVICE_CONCURRENCY: EMAILS_AT_ONCE,
    })
  const nodes: KeptProcess[] = []
  const workers: KeptProcess[] = []
  let areStopped = false
  const stopProcesses = async () => {
    if (areStopped) return
    areStopped = true
    await Promise.all([...nodes, ...workers].map((each) => each.stop()))
  }
  closing.push(stopProcesses)
  for (let number = 1; number <= WORKERS; number += 1) workers.push(await startWorker(number))
  for (let number = 1; number <= NODES; number += 1) nodes.push(await startNode(number))

  /** Sends it to a store that may be just starting again; returns whether it runs. */
  const kill = (pid: number) => Number.isInteger(pid) && pid > 0 && isAlive(pid) && process.kill(pid, 'SIGKILL')
  const killPostgres = () => {
    const file = join(postgresFolder, 'postgres', 'data', 'postmaster.pid')
    return existsSync(file) && kill(Number(readFileSync(file, 'utf8').split('\n')[0]))
  }
  const emptyRedis = async () => {
    const client = new Redis(redis.current().url, { maxRetriesPerRequest: 1 })
    client.on('error', () => {})
    try {
      const pid = Number(/process_id:(\d+)/.exec(await client.info('server'))?.[1])
      isRedisEmptied = true
      return kill(pid)
    } catch {
      return false
    } finally {
      client.disconnect()
    }
  }
  return {
    ownerUrl,
    nodes,
    workers,
    fronts,
    postgresLines,
    redisLine,
    news,
    emailService,
    room,
    killPostgres,
    emptyRedis,
    printed: () => [...printed].map(([name, text]) => `--- ${name}\n${text().slice(-PRINTED_CHARACTERS)}`).join('\n'),
    ownEnds,
    stopProcesses,
    close,
  }
}
