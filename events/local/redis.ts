import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { openDataDir, privateFolder, readOrMakeSecret } from './data-dir.ts'
import { type Guarded, type GuardedCommand, lastWords, startGuarded } from './guard.ts'
import { freePort } from './port.ts'
import type { LocalService } from './postgres.ts'
import { findRedisProgram, type RedisProgram } from './redis-programs.ts'

/** An append-only file of some size takes its time to load; a container's image may have to be fetched. */
const START_TIMEOUT_MS = 120_000
/** How long a start waits for an instance that is just stopping, before it says that the folder is in use. */
const HANDOVER_TIMEOUT_MS = 5_000
const PING_TIMEOUT_MS = 1_000
const POLL_INTERVAL_MS = 20
const PORT_ATTEMPTS = 5
/** Test files each take one. */
export const REDIS_DATABASES = 256

/**
 * Starts Redis on a loopback port (`port`, else a free one), with its append-only file under `dataDir`/redis. It ends
 * with this process, even if that is killed. It never evicts keys: BullMQ would lose jobs.
 *
 * `programs` is the folder into which Redis is unpacked if the system has none.
 *
 * @param options.isPersistent whether the data outlives this Redis; true by default.
 * @param options.say gets one line for a person if Redis had to be fetched.
 * @throws one line for a person: no Redis is available and what to do, the folder is in use, or the last line of Redis.
 */
export async function startRedis(options: {
  dataDir: string
  print: (line: string) => void
  port?: number | undefined
  programs?: string
  isPersistent?: boolean
}): Promise<LocalService> {
  const folder = join(openDataDir(options.dataDir), 'redis')
  privateFolder(folder)
  await waitUntilFree(folder)
  const password = readOrMakeSecret(join(folder, 'password'))
  const program = await findRedisProgram(options.programs ?? join(options.dataDir, 'redis-programs'), options.print)

  for (let attempt = 1; ; attempt++) {
    const port = options.port ?? (await freePort())
    writeFileSync(configFile(folder), configuration(port, password, options.isPersistent ?? true), { mode: 0o600 })
    const redis = startGuarded(serverCommand(program, folder, port))
    if (await waitUntilReady(redis, redisUrl(password, port))) {
      return { url: redisUrl(password, port), stop: redis.stop, ended: redis.ended }
    }
    const reason = lastWords(logFile(folder), /fatal|error|could not|denied|unable/i)
    if (attempt === PORT_ATTEMPTS || !/address already in use|bind/i.test(reason)) {
      throw new Error(`The local Redis in ${folder} did not start: ${reason} (log: ${logFile(folder)})`)
    }
  }
}

/** The address of the Redis that another process runs on this folder, if one does. */
export async function findRedis(dataDir: string): Promise<string | undefined> {
  const folder = join(dataDir, 'redis')
  if (!existsSync(configFile(folder))) return undefined
  const port = /^port (\d+)$/m.exec(readFileSync(configFile(folder), 'utf8'))?.[1]
  const url = redisUrl(readFileSync(join(folder, 'password'), 'utf8').trim(), Number(port))
  return (await answers(url)) ? url : undefined
}

function redisUrl(password: string, port: number): string {
  return `redis://:${password}@127.0.0.1:${port}`
}

function configFile(folder: string): string {
  return join(folder, 'redis.conf')
}

function logFile(folder: string): string {
  return join(folder, 'redis.log')
}

function configuration(port: number, password: string, isPersistent: boolean): string {
  return `bind 127.0.0.1
port ${port}
requirepass ${password}
databases ${REDIS_DATABASES}
appendonly ${isPersistent ? 'yes' : 'no'}
appendfsync everysec
save ""
maxmemory-policy noeviction
`
}

function serverCommand(program: RedisProgram, folder: string, port: number): GuardedCommand {
  const common = { cwd: folder, logFile: logFile(folder), stopSignal: 'TERM', lastSignal: 'KILL' } as const
  if (program.kind === 'program') {
    return { ...common, command: program.command, args: ['redis.conf'], env: program.env }
  }
  const user = `${process.getuid?.()}:${process.getgid?.()}`
  const place = ['--user', user, '--volume', `${folder}:/data`, '--publish', `127.0.0.1:${port}:${port}`]
  const server = ['redis-server', '/data/redis.conf', '--bind', '0.0.0.0']
  return { ...common, command: 'docker', args: ['run', '--rm', ...place, program.image, ...server], env: process.env }
}

async function waitUntilReady(redis: Guarded, url: string): Promise<boolean> {
  const deadline = Date.now() + START_TIMEOUT_MS
  while (!redis.hasEnded()) {
    if (await answers(url)) return true
    if (Date.now() > deadline) {
      await redis.stop()
      return false
    }
    await sleep(POLL_INTERVAL_MS)
  }
  return false
}

async function waitUntilFree(folder: string): Promise<void> {
  const deadline = Date.now() + HANDOVER_TIMEOUT_MS
  while ((await findRedis(join(folder, '..'))) !== undefined) {
    if (Date.now() > deadline) {
      throw new Error(`DATA_DIR: ${folder} is in use by a running instance: stop it, or set another`)
    }
    await sleep(POLL_INTERVAL_MS)
  }
}

/** Whether this Redis takes commands: one that still loads its file, or has another password, does not. */
async function answers(url: string): Promise<boolean> {
  const redis = new Redis(url, {
    lazyConnect: true,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    connectTimeout: PING_TIMEOUT_MS,
    commandTimeout: PING_TIMEOUT_MS,
  })
  redis.on('error', () => {})
  try {
    await redis.connect()
    return (await redis.ping()) === 'PONG'
  } catch {
    return false
  } finally {
    redis.disconnect()
  }
}
