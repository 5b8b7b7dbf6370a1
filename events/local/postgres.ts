import { execFile } from 'node:child_process'
import { existsSync, readFileSync, readlinkSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { openDataDir, privateFolder, readOrMakeSecret } from './data-dir.ts'
import { lastWords, startGuarded } from './guard.ts'
import { freePort } from './port.ts'
import { postgresPrograms, postgresUser, type SystemUser } from './postgres-programs.ts'

const run = promisify(execFile)

const START_TIMEOUT_MS = 60_000
/** How long a start waits for an instance that is just stopping, before it says that the folder is in use. */
const HANDOVER_TIMEOUT_MS = 5_000
const POLL_INTERVAL_MS = 20
const PORT_ATTEMPTS = 5

export type LocalService = {
  url: string
  /** Stops the server and settles once it has ended. Its data stays. */
  stop: () => Promise<void>
  /** Settles with the reason once the server has ended, by `stop` or by itself. */
  ended: Promise<string>
}

/** A Postgres that can be started: its folder, the locale arguments of its initdb, and how it names a data folder. */
type Programs = { folder: string; locale: string[]; nameOf: (folder: string) => string }

function embedded(user: SystemUser | undefined): Programs {
  const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
  return { folder: postgresPrograms(user), locale, nameOf: ownFolder }
}

/** Before version 17 Postgres has no built-in locale, and before 16 it leaves the folder that it is started in. */
function installed(folder: string): Programs {
  return { folder, locale: ['--locale=C.UTF-8'], nameOf: (data) => data }
}

/**
 * Starts Postgres from the npm package on a loopback port (`port`, else a free one), with its data under
 * `dataDir`/postgres. It ends with this process, even if that is killed. As root it runs as user "nobody".
 *
 * `settings` are added to the command line, as in `max_connections=300`. `installed` is the folder of another Postgres,
 * with its `bin`, that runs in place of the one from npm.
 *
 * @throws one line for a person: the folder is in use, or the last line of Postgres.
 */
export async function startPostgres(options: {
  dataDir: string
  port?: number | undefined
  settings?: string[]
  installed?: string | undefined
}): Promise<LocalService> {
  const user = postgresUser()
  const programs = options.installed === undefined ? embedded(user) : installed(options.installed)
  const folder = join(openDataDir(options.dataDir), 'postgres')
  privateFolder(folder, user)
  const password = readOrMakeSecret(join(folder, 'password'), user)
  const data = join(folder, 'data')
  await waitUntilFree(data)
  if (!existsSync(join(data, 'PG_VERSION'))) await initialise(programs, folder, user)

  for (let attempt = 1; ; attempt++) {
    const port = options.port ?? (await freePort())
    const postgres = launch({ programs, folder, user, port, settings: options.settings ?? [] })
    const isUp = await waitUntilReady(data, postgres)
    if (isUp) return { url: postgresUrl(password, port), stop: postgres.stop, ended: postgres.ended }
    const reason = lastWords(logFile(folder), /FATAL|PANIC|error/i)
    if (attempt === PORT_ATTEMPTS || !/could not (bind|create any TCP)/i.test(reason)) {
      throw new Error(`The embedded Postgres in ${folder} did not start: ${reason} (log: ${logFile(folder)})`)
    }
  }
}

/** The address of the Postgres that another process runs on this folder, if one does. */
export function findPostgres(dataDir: string): string | undefined {
  const folder = join(dataDir, 'postgres')
  const lines = postmasterLines(join(folder, 'data'))
  if (runningPostmaster(join(folder, 'data')) === undefined || !isReady(lines)) return undefined
  return postgresUrl(readFileSync(join(folder, 'password'), 'utf8').trim(), Number(lines[3]))
}

function postgresUrl(password: string, port: number): string {
  return `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
}

function logFile(folder: string): string {
  return join(folder, 'postgres.log')
}

/**
 * The path by which a program that starts in `folder` names it. Linux's own link works also if the program's user may
 * not enter the folders above it, so that the data of a root whose home is closed is still in DATA_DIR.
 */
function ownFolder(folder: string): string {
  return process.platform === 'linux' ? '/proc/self/cwd' : folder
}

/** A half-made cluster never gets the name of a whole one: it is made next to it, then renamed. */
async function initialise(programs: Programs, folder: string, user: SystemUser | undefined): Promise<void> {
  const fresh = join(folder, 'data.new')
  rmSync(fresh, { recursive: true, force: true })
  privateFolder(fresh, user)
  const here = programs.nameOf(fresh)
  const args = [
    `--pgdata=${here}`,
    `--pwfile=${here}/../password`,
    '--username=postgres',
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    ...programs.locale,
    '--no-instructions',
  ]
  try {
    await run(join(programs.folder, 'bin', 'initdb'), args, { cwd: fresh, env: environment(), ...user })
  } catch (cause) {
    const output = cause instanceof Error && 'stderr' in cause ? String(cause.stderr).trim() : String(cause)
    throw new Error(`The embedded Postgres could not make its data folder in ${folder}: ${output.split('\n').at(-1)}`, {
      cause,
    })
  }
  renameSync(fresh, join(folder, 'data'))
}

/**
 * Postgres logs only its own events. Errors of statements reach their senders; in the log they would quote typed text.
 */
const QUIET_LOG = [
  'log_min_messages=log',
  'log_min_error_statement=panic',
  'log_error_verbosity=terse',
  'log_parameter_max_length=0',
]

/** Room for the views and indexes of a million leads; memory is taken as it fills. */
const CACHE = 'shared_buffers=512MB'

function launch(start: {
  programs: Programs
  folder: string
  user: SystemUser | undefined
  port: number
  settings: string[]
}) {
  const data = join(start.folder, 'data')
  const settings = ['unix_socket_directories=', 'listen_addresses=127.0.0.1', CACHE, ...QUIET_LOG, ...start.settings]
  return startGuarded({
    command: join(start.programs.folder, 'bin', 'postgres'),
    args: [
      '-D',
      start.programs.nameOf(data),
      '-p',
      String(start.port),
      ...settings.flatMap((setting) => ['-c', setting]),
    ],
    cwd: data,
    env: environment(),
    user: start.user,
    logFile: logFile(start.folder),
    stopSignal: 'INT',
    lastSignal: 'QUIT',
  })
}

/** Nothing of the caller's PG* variables may reach the server: PGDATA or PGPORT would win over ours. */
function environment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }
}

async function waitUntilReady(data: string, postgres: { hasEnded: () => boolean; stop: () => Promise<void> }) {
  const deadline = Date.now() + START_TIMEOUT_MS
  while (!postgres.hasEnded()) {
    if (runningPostmaster(data) !== undefined && isReady(postmasterLines(data))) return true
    if (Date.now() > deadline) {
      await postgres.stop()
      return false
    }
    await sleep(POLL_INTERVAL_MS)
  }
  return false
}

async function waitUntilFree(data: string): Promise<void> {
  const deadline = Date.now() + HANDOVER_TIMEOUT_MS
  for (let pid = runningPostmaster(data); pid !== undefined; pid = runningPostmaster(data)) {
    if (Date.now() > deadline) {
      throw new Error(`DATA_DIR: ${data} is in use by a running instance (process ${pid}): stop it, or set another`)
    }
    await sleep(POLL_INTERVAL_MS)
  }
  // Its process number may long belong to another program, which Postgres would take for a running server.
  rmSync(join(data, 'postmaster.pid'), { force: true })
}

/** Lines of `postmaster.pid`: process, folder, start, port, socket folder, address, shared memory, state. */
function postmasterLines(data: string): string[] {
  try {
    return readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    return []
  }
}

function isReady(lines: string[]): boolean {
  return lines[7]?.trim() === 'ready'
}

/** The process that runs on this folder, distinguished from one that merely has the number of a dead server. */
function runningPostmaster(data: string): number | undefined {
  const pid = Number(postmasterLines(data)[0])
  if (!Number.isInteger(pid) || pid <= 0) return undefined
  try {
    if (process.platform === 'linux') {
      return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(data) ? pid : undefined
    }
    process.kill(pid, 0)
    return pid
  } catch {
    return undefined
  }
}
