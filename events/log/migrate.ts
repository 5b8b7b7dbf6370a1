import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { connect, inTransaction } from './connection.ts'

const MIGRATIONS = new URL('./migrations/', import.meta.url)

/** Any number that nothing else in this database locks. */
const MIGRATION_LOCK = 7_283_110

/**
 * Brings the database to the newest schema. Safe to run from many processes at once: one migrates, the others wait.
 * Each migration commits by itself. A migration that was edited after it had run is refused.
 */
export const migrate = async (databaseUrl: string): Promise<void> => {
  const names = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).sort()
  const sql = connect(databaseUrl, { max: 1, name: 'migrate', statementTimeoutMs: 0 })
  try {
    await sql`set lock_timeout = 0`
    await sql`select pg_advisory_lock(${MIGRATION_LOCK})`
    await sql`create table if not exists migrations (
      name text primary key, checksum text not null, applied_at timestamptz not null default now()
    )`
    const rows = await sql<{ name: string; checksum: string }[]>`select name, checksum from migrations`
    const applied = new Map(rows.map(({ name, checksum }) => [name, checksum]))
    for (const name of names) {
      const text = await readFile(new URL(name, MIGRATIONS), 'utf8')
      const checksum = createHash('sha256').update(text).digest('hex')
      if (applied.get(name) === checksum) continue
      if (applied.has(name)) throw new Error(`Migration ${name} was edited after it had run: add a new one instead`)
      await inTransaction(sql, async (tx) => {
        await tx.unsafe(text)
        await tx`insert into migrations (name, checksum) values (${name}, ${checksum})`
      })
    }
  } finally {
    await sql.end({ timeout: 1 })
  }
}
