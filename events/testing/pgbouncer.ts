import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { findOnPath, hasApt, libraryPath, unpackFromApt } from '../local/apt-packages.ts'
import { privateFolder } from '../local/data-dir.ts'
import { lastWords, startGuarded } from '../local/guard.ts'
import { freePort } from '../local/port.ts'
import { postgresUser } from '../local/postgres-programs.ts'
import { makeTestFolder } from './folders.ts'
import { eventually } from './node.ts'

const PROGRAMS = resolve('node_modules/.cache/pgbouncer-programs')
/** How many connections to Postgres it shares out: fewer than the clients of one node have. */
export const POOL_CONNECTIONS = 6

/** A PgBouncer of a test, before a Postgres. */
export type TestPgBouncer = {
  /** The same database and user at the pooler's address. */
  through: (databaseUrl: string) => string
  stop: () => Promise<void>
}

/** Finds PgBouncer: on the path, else Debian's package, unpacked for the tests. */
const findPgBouncer = async () => {
  const installed = findOnPath('pgbouncer') ?? ['/usr/sbin/pgbouncer'].find(existsSync)
  if (installed !== undefined) return { command: installed, libraries: '' }
  const unpacked = join(PROGRAMS, 'usr', 'sbin', 'pgbouncer')
  if (!existsSync(unpacked) && hasApt()) {
    process.stdout.write(`PgBouncer is not installed: unpacking this system's package into ${PROGRAMS}\n`)
    await unpackFromApt('pgbouncer', PROGRAMS)
  }
  return existsSync(unpacked) ? { command: unpacked, libraries: libraryPath(PROGRAMS) } : undefined
}

/** PgBouncer, if it is available here; otherwise the reason is printed. */
export const pgbouncer = await findPgBouncer().catch(() => undefined)
if (pgbouncer === undefined) {
  process.stdout.write('*** NO PGBOUNCER ON THIS MACHINE: what runs behind a pooler is not tested ***\n')
}

/**
 * Starts PgBouncer in transaction mode before the Postgres of an address, on a loopback port. `settings` are further
 * lines of its configuration.
 */
export const startPgBouncer = async (databaseUrl: string, settings: string[] = []): Promise<TestPgBouncer> => {
  if (pgbouncer === undefined) throw new Error('No PgBouncer on this machine: apt-get install pgbouncer')
  const { hostname, port: serverPort, username, password } = new URL(databaseUrl)
  const folder = makeTestFolder()
  const user = postgresUser()
  privateFolder(folder, user)
  const port = await freePort()
  const lines = [
    '[databases]',
    `* = host=${hostname} port=${serverPort}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = plain',
    `auth_file = ${folder}/users`,
    'pool_mode = transaction',
    `default_pool_size = ${POOL_CONNECTIONS}`,
    'max_client_conn = 200',
    ...settings,
  ]
  writeFileSync(join(folder, 'pgbouncer.ini'), `${lines.join('\n')}\n`, { mode: 0o644 })
  writeFileSync(join(folder, 'users'), `"${username}" "${password}"\n`, { mode: 0o644 })
  const logFile = join(folder, 'log')
  const server = startGuarded({
    command: pgbouncer.command,
    args: [join(folder, 'pgbouncer.ini')],
    cwd: folder,
    env: { PATH: process.env.PATH, ...(pgbouncer.libraries && { LD_LIBRARY_PATH: pgbouncer.libraries }) },
    user,
    logFile,
    stopSignal: 'INT',
    lastSignal: 'KILL',
  })
  const stop = async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  await eventually(() => {
    if (server.hasEnded()) throw new Error(`PgBouncer did not start: ${lastWords(logFile, /FATAL|ERROR/)}`)
    if (!lastWords(logFile, /process up/).includes('process up')) throw new Error('PgBouncer is not up yet')
  }).catch(async (error) => {
    await stop()
    throw error
  })
  return {
    through: (address) => {
      const url = new URL(address)
      url.host = `127.0.0.1:${port}`
      return url.href
    },
    stop,
  }
}
