import { setTimeout as delay } from 'node:timers/promises'
import { type Backoff, backoffMs } from '../base/backoff.ts'
import { errorCode } from '../base/error-code.ts'
import { connect, inTransaction, type Sql } from '../stores/connection.ts'
import { isLost } from '../stores/postgres/pool.ts'
import { KEYS_MIGRATIONS, type Migration, readMigrations, statementsOf } from './migrations.ts'
import { ensureRuntimeUser } from './runtime-user.ts'

/** Any number that nothing else in this database locks. */
const MIGRATION_LOCK = 7_283_110

/** How long to wait for another process that migrates. */
const TURN_TIMEOUT_MS = 120_000
const TURN_POLL_MS = 100
/** How long a migration waits for a table: later queries of the table wait as well. */
const LOCK_TIMEOUT_MS = 2_000
/** `create index concurrently` waits for older transactions and holds up no one during that time. */
const CONCURRENT_LOCK_TIMEOUT_MS = 600_000

const ATTEMPTS = 10
const PAUSES: Backoff = { firstMs: 200, growth: 2, longestMs: 5_000, random: 0 }

export type MigrateOptions = {
  /** The address that nodes and workers use. Its user is created if it is not the owner. */
  runtimeUrl?: string | undefined
  /** Gets a line before each further attempt. */
  print?: (line: string) => void
  /** The folder of the migrations; tests use their own. */
  folder?: URL
  /** The names of the only migrations to run; all run by default. */
  only?: readonly string[]
  turnTimeoutMs?: number
}

/**
 * Passes by itself: a lock that was not to be had in time (55P03), a deadlock (40P01), two databases of a cluster that
 * make or change one role at the same moment (42710, 23505, XX000), a server that restarts.
 */
const isPassing = (error: unknown) =>
  /^(55P03|40P01|42710|23505|XX000)$/.test(errorCode(error)) || (isLost(error) && !/^(28|3D)/.test(errorCode(error)))

/**
 * Waits until no other process migrates this database. It polls: a statement that waited would hold a snapshot, and
 * `create index concurrently` in the other process would wait for that one.
 */
const acquireMigrationLock = async (sql: Sql, timeoutMs: number) => {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const [turn] = await sql<{ taken: boolean }[]>`select pg_try_advisory_lock(${MIGRATION_LOCK}) as taken`
    if (turn?.taken) return
    if (performance.now() > deadline) {
      throw new Error(`Another process has been migrating this database for ${timeoutMs / 1000} s: try again later`)
    }
    await delay(TURN_POLL_MS)
  }
}

/** The row is written first: should two processes run one migration after all, the second waits here and then fails. */
const runOnce = (sql: Sql, { name, text, checksum }: Migration) =>
  inTransaction(sql, async (tx) => {
    await tx`insert into migrations (name, checksum) values (${name}, ${checksum})`
    await tx.unsafe(text)
  })

const runAgain = (sql: Sql, { name, text, checksum }: Migration) =>
  inTransaction(sql, async (tx) => {
    await tx`insert into migrations (name, checksum) values (${name}, ${checksum})
      on conflict (name) do update set checksum = excluded.checksum, applied_at = now()
      where migrations.checksum <> excluded.checksum`
    await tx.unsafe(text)
  })

/** A crash in `create index concurrently` leaves an index that no query uses, and that `if not exists` would keep. */
const dropBrokenIndexes = async (sql: Sql, text: string) => {
  const broken = await sql<{ name: string }[]>`
    select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
    where not i.indisvalid and c.relnamespace = current_schema()::regnamespace`
  for (const { name } of broken.filter((index) => new RegExp(`\\b${index.name}\\b`).test(text))) {
    await sql`drop index concurrently if exists ${sql(name)}`
  }
}

const runStatements = async (sql: Sql, migration: Migration) => {
  await sql.unsafe(`set lock_timeout = ${CONCURRENT_LOCK_TIMEOUT_MS}`)
  await dropBrokenIndexes(sql, migration.text)
  for (const statement of statementsOf(migration)) await sql.unsafe(statement)
  await sql.unsafe(`set lock_timeout = ${LOCK_TIMEOUT_MS}`)
  await sql`insert into migrations (name, checksum) values (${migration.name}, ${migration.checksum})`
}

const attempt = async (
  databaseUrl: string,
  { runtimeUrl, folder, only, turnTimeoutMs = TURN_TIMEOUT_MS }: MigrateOptions,
) => {
  const migrations = (await readMigrations(folder)).filter(({ name }) => only?.includes(name) ?? true)
  const sql = connect(databaseUrl, { max: 1, name: 'migrate', statementTimeoutMs: 0 })
  try {
    await acquireMigrationLock(sql, turnTimeoutMs)
    await sql.unsafe(`set lock_timeout = ${LOCK_TIMEOUT_MS}`)
    await sql`create table if not exists migrations (
      name text primary key, checksum text not null, applied_at timestamptz not null default now()
    )`
    const rows = await sql<{ name: string; checksum: string }[]>`select name, checksum from migrations`
    const applied = new Map(rows.map(({ name, checksum }) => [name, checksum]))
    for (const migration of migrations) {
      const { name, checksum, mode } = migration
      if (mode === 'always') await runAgain(sql, migration)
      else if (!applied.has(name)) await (mode === 'once' ? runOnce : runStatements)(sql, migration)
      else if (applied.get(name) !== checksum) {
        throw new Error(`Migration ${name} was edited after it had run: add a new one instead`)
      }
    }
    if (runtimeUrl !== undefined) await ensureRuntimeUser(sql, { ownerUrl: databaseUrl, runtimeUrl })
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/**
 * Brings the database to this code's schema, as its owner. Safe to run from many processes at once: one migrates, the
 * others wait. Each migration commits by itself. It does not wait for locks that would block the site for more than
 * moments: an attempt that finds a table locked is repeated, later each time. A migration that was edited after it had
 * run is refused; one that only newer code has is ignored.
 */
export const migrate = async (databaseUrl: string, options: MigrateOptions = {}): Promise<void> => {
  for (let number = 1; ; number += 1) {
    try {
      return await attempt(databaseUrl, options)
    } catch (error) {
      if (!isPassing(error) || number === ATTEMPTS) throw error
      const pauseMs = backoffMs(PAUSES, number)
      const reason = error instanceof Error ? error.message : String(error)
      options.print?.(`The migration could not continue (${reason}): trying again in ${pauseMs / 1000} s`)
      await delay(pauseMs)
    }
  }
}

/** Brings a separate database of keys to this code's schema, as the user who uses it. */
export const migrateKeys = (keysDatabaseUrl: string, options: Pick<MigrateOptions, 'print'> = {}): Promise<void> =>
  migrate(keysDatabaseUrl, { ...options, only: KEYS_MIGRATIONS })
