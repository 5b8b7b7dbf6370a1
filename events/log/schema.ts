import { setTimeout as delay } from 'node:timers/promises'
import { errorCode } from '../base/error-code.ts'
import { PlainError } from '../base/plain-error.ts'
import { connect } from '../stores/connection.ts'
import type { Queryable } from './decode.ts'
import { KEYS_MIGRATIONS, migrationNames } from './migrations.ts'

/** How long a node or a worker waits for the migration: a deployment may start all three at once. */
export const SCHEMA_WAIT_MS = 30_000
const POLL_MS = 250

/** The database cannot be used by this code; the message is one line that names the command to run. */
export class SchemaError extends PlainError {
  override name = 'SchemaError'
}

/** Postgres's codes for a function and a table that are not there. */
const UNKNOWN = ['42883', '42P01']

/** The names that a query reads; none if the table itself is missing, which a migration creates. */
const namesOf = async (query: PromiseLike<readonly { name: string }[]>): Promise<string[]> => {
  try {
    return (await query).map(({ name }) => name)
  } catch (error) {
    if (UNKNOWN.includes(errorCode(error))) return []
    throw error
  }
}

const appliedMigrations = (sql: Queryable) =>
  namesOf(sql<{ name: string }[]>`select name from applied_migrations() as name`)

/** Waits until all wanted migrations have run, and returns all that have. Throws a SchemaError after `waitMs`. */
const awaitMigrations = async (
  readApplied: () => Promise<string[]>,
  { wanted, waitMs, database }: { wanted: readonly string[]; waitMs: number; database: string },
): Promise<string[]> => {
  const deadline = performance.now() + waitMs
  for (;;) {
    const applied = await readApplied()
    const missing = wanted.filter((name) => !applied.includes(name))
    if (missing.length === 0) return applied
    if (performance.now() >= deadline) {
      throw new SchemaError(
        `${database} is older than this code (not migrated: ${missing.length}, the first ${missing[0]}): run npm run migrate`,
      )
    }
    await delay(POLL_MS)
  }
}

type Rights = { canTamper: boolean; statementTimeout: string }

const readRights = async (sql: Queryable): Promise<Rights | undefined> => {
  const [rights] = await sql<Rights[]>`
    select has_table_privilege('events', 'insert, update, delete, truncate') as "canTamper",
      current_setting('statement_timeout') as "statementTimeout"`
  return rights
}

/**
 * Throws a SchemaError if migrations of this code have not run, once `waitMs` have passed. Changes nothing. Accepts a
 * newer database, as after a rollback. Returns notes for the operator, one per line.
 */
export const assertSchema = async (sql: Queryable, { waitMs = 0 }: { waitMs?: number } = {}): Promise<string[]> => {
  const wanted = await migrationNames()
  const applied = await awaitMigrations(() => appliedMigrations(sql), { wanted, waitMs, database: 'The database' })

  const warnings: string[] = []
  const newer = applied.filter((name) => !wanted.includes(name))
  if (newer.length > 0) warnings.push(`The database is newer than this code (it has ${newer.join(', ')}): going on`)
  const rights = await readRights(sql)
  if (rights?.canTamper) {
    warnings.push(
      'DATABASE_URL names a user who may change events: only discipline protects the log (api/OPERATIONS.md: MIGRATIONS_DATABASE_URL)',
    )
  }
  if (rights?.statementTimeout === '0') {
    warnings.push('DATABASE_URL: statements have no time-out through this pooler: give its user a statement_timeout')
  }
  return warnings
}

/** `assertSchema` on a connection of its own, before any other is opened. */
export const checkSchema = async (databaseUrl: string, { waitMs = 0 }: { waitMs?: number } = {}): Promise<string[]> => {
  const sql = connect(databaseUrl, { max: 1, name: 'schema' })
  try {
    return await assertSchema(sql, { waitMs })
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** Throws a SchemaError if the migrations of the data keys have not run in their separate database. */
export const assertKeysSchema = async (apart: Queryable, { waitMs = 0 }: { waitMs?: number } = {}): Promise<void> => {
  const readApplied = async () => {
    const applied = await appliedMigrations(apart)
    return applied.length > 0 ? applied : await namesOf(apart<{ name: string }[]>`select name from migrations`)
  }
  await awaitMigrations(readApplied, { wanted: KEYS_MIGRATIONS, waitMs, database: 'KEYS_DATABASE_URL: the database' })
}
