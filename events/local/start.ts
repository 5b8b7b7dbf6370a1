import { watch } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openDataDir, readOrMakeDataKey, readOrMakeSecret } from './data-dir.ts'
import { keepRunning, type Supervised } from './keep-running.ts'
import { type NodeProcess, NotStartedError, runNodeProcess, startNodeProcess } from './node-process.ts'
import { freePort } from './port.ts'
import { checkPort, newPassword, readStartConfig, type StartConfig } from './start-config.ts'
import { openStores, type Stores, storesEnvironment } from './stores.ts'
import { buildWebIfStale } from './web-build.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Steps that take longer than this are worth a line. */
const LONG_STEP_MS = 2_000
const START_ABANDONED_AFTER_MS = 10_000
const PARENT_POLL_MS = 500
/** Editors write a file in several steps. */
const CHANGE_SETTLES_MS = 100

const isDev = process.argv.includes('--dev')
const startedAt = performance.now()

/** The running parts; the stores go last, as the processes write to them until the end. */
const processes: { stop: () => Promise<void> }[] = []
let stores: Stores | undefined
let leaving: Promise<never> | undefined

/** Stops everything and exits. Parts that are just starting are waited for, to be stopped in order too. */
function exit(status: number): Promise<never> {
  leaving ??= (async () => {
    await Promise.race([startup.catch(() => {}), sleep(START_ABANDONED_AFTER_MS)])
    await Promise.all(processes.map((child) => child.stop()))
    await stores?.stop()
    process.exit(status)
  })()
  return leaving
}

function print(line: string): void {
  if (leaving === undefined) process.stdout.write(`  ${line}\n`)
}

async function step<T>(name: string, work: Promise<T>): Promise<T> {
  const began = performance.now()
  const timer = setTimeout(print, LONG_STEP_MS, `${name} …`)
  try {
    const result = await work
    const ms = performance.now() - began
    if (ms > LONG_STEP_MS) print(`${name}: done in ${(ms / 1000).toFixed(1)} s`)
    return result
  } finally {
    clearTimeout(timer)
  }
}

/** Between any two steps: the program that asked us to leave does not wait for the rest. */
function goOn(): void {
  if (leaving !== undefined) throw new Error('Stopped while starting')
}

async function start(): Promise<void> {
  const config = readStartConfig(process.env)
  await checkPort(config.port)
  const dataDir =
    config.databaseUrl && config.redisUrl && config.sessionSecret && config.dataKey
      ? config.dataDir
      : openDataDir(config.dataDir)
  goOn()

  const [opened, built] = await Promise.allSettled([
    step('Starting Postgres and Redis', openStores({ ...config, dataDir, print })),
    step('Building the web pages', buildWebIfStale(ROOT)),
  ])
  if (opened.status === 'rejected') throw opened.reason
  stores = opened.value
  if (built.status === 'rejected') throw built.reason
  goOn()

  const password = newPassword()
  const env = productEnvironment(config, stores, { dataDir, password })
  const ownerEnv = { ...env, ...storesEnvironment(stores) }
  const migrating = () => runNodeProcess(join(ROOT, 'events/log/migrate.cli.ts'), ownerEnv)
  await step('Migrating the database', migrating())
  goOn()

  const apiPort = isDev ? await freePort() : config.port
  // empty if they are not set: the node then knows that email goes nowhere
  const email = { EMAIL_FORWARD_URL: '', SMTP_URL: '' }
  const ports = { PORT: String(apiPort), NODES: String(config.nodes), LISTEN_ADDRESS: config.listenAddress }
  const api = await supervise('The API', 'api/process/main.ts', { ...email, ...env, ...ports })
  goOn()
  const worker = await supervise('The worker', 'worker/main.ts', env)
  goOn()
  if (isDev) {
    await supervise('The web server', 'web/dev.ts', { ...env, PORT: String(config.port), API_PORT: String(apiPort) })
    restartOnChange(api, ['api', 'events'])
    restartOnChange(worker, ['worker', 'events'])
    onChange(['events'], /\.sql$/, () => migrating().catch((error: Error) => print(error.message)))
  }
  welcome(config, api.current().staffMade ? password : undefined)
}

function productEnvironment(
  config: StartConfig,
  stores: Stores,
  stored: { dataDir: string; password: string },
): NodeJS.ProcessEnv {
  return {
    ...process.env,
    ...storesEnvironment({ ...stores, migrationsUrl: undefined }),
    SESSION_SECRET: config.sessionSecret ?? readOrMakeSecret(join(stored.dataDir, 'session-secret')),
    DATA_KEY: config.dataKey ?? readOrMakeDataKey(stored.dataDir),
    STAFF_PASSWORD: config.staff.password ?? stored.password,
    PUBLIC_URL: process.env.PUBLIC_URL || (isDev ? config.publicUrl : ''),
    LOG_LEVEL: process.env.LOG_LEVEL || 'warn',
  }
}

async function supervise(name: string, script: string, env: NodeJS.ProcessEnv): Promise<Supervised<NodeProcess>> {
  const supervised = await step(
    `Starting ${name.replace('The', 'the')}`,
    keepRunning(name, () => startNodeProcess(join(ROOT, script), env), print),
  )
  processes.push(supervised)
  return supervised
}

function onChange(folders: string[], pattern: RegExp, act: (file: string) => void): void {
  let timer: NodeJS.Timeout | undefined
  for (const folder of folders) {
    watch(join(ROOT, folder), { recursive: true }, (_, file) => {
      if (file === null || !pattern.test(file)) return
      clearTimeout(timer)
      timer = setTimeout(act, CHANGE_SETTLES_MS, `${folder}/${file}`)
    })
  }
}

/** After a new migration both start again and wait until it has run. */
function restartOnChange(supervised: Supervised<NodeProcess>, folders: string[]): void {
  onChange(folders, /(?<!\.(test|bench))\.(ts|sql)$/, (file) => {
    print(`${file} changed: starting again`)
    void supervised.restart()
  })
}

function welcome(config: StartConfig, password: string | undefined): void {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  const lines = [
    '',
    `Site    ${config.publicUrl}`,
    `Staff   ${config.publicUrl}/login`,
    `        user ${config.staff.username}`,
  ]
  if (password !== undefined && config.staff.password === undefined) {
    lines.push(`        password ${password}   (shown only this once)`)
  }
  lines.push(
    '',
    `Running since ${seconds} s after the start: ${config.nodes} API nodes, 1 worker. Ctrl-C stops everything.`,
    '',
  )
  for (const line of lines) print(line)
}

/** npm does not pass on a SIGKILL of its own; its child then gets another parent. */
function exitWithNpm(): void {
  if (process.env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) void exit(0)
  }, PARENT_POLL_MS).unref()
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (leaving === undefined) process.stdout.write('\n  Stopping …\n')
    void exit(0)
  })
}
exitWithNpm()
process.chdir(resolve(ROOT))
const startup = start()
startup.catch((error: unknown) => {
  const isKnown = leaving !== undefined || (error instanceof NotStartedError && error.isExplained)
  if (!isKnown) process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  void exit(1)
})
