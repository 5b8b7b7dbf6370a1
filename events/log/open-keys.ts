import { connect, inTransaction, type Sql } from './connection.ts'
import { KeyError, type KeyRing } from './key-ring.ts'
import { openSubjectKeys, type SubjectKeys } from './subject-keys.ts'

const POOL_CONNECTIONS = 2

/** Any number that nothing else in this database locks. */
const RING_LOCK = 7_283_111

/** Where the keys are and what opens them: a part of each process's configuration. */
export type KeysConfig = { databaseUrl: string; keyRing: KeyRing; keysDatabaseUrl: string | undefined }

/**
 * Notes the ring's active key in the keys' database. Throws a KeyError where data keys are there that were wrapped by a
 * key which the ring lacks: with another DATA_KEY than yesterday's nothing could be read.
 */
const assertRing = (sql: Sql, { active, byId }: KeyRing): Promise<void> =>
  inTransaction(sql, async (tx) => {
    await tx`select pg_advisory_xact_lock(${RING_LOCK})`
    const known = await tx<{ id: string }[]>`select id from ring_keys`
    const missing = known.flatMap(({ id }) => (byId.has(id) ? [] : [id]))
    if (missing.length > 0) {
      throw new KeyError(
        `DATA_KEY cannot be used: data is encrypted by key ${missing.join(', ')}, and it holds ${[...byId.keys()].join(', ')}: add the older key behind the new one, with a comma between them`,
      )
    }
    await tx`insert into ring_keys (id) values (${active.id}) on conflict do nothing`
  })

/**
 * Opens the data keys of a process, and checks that DATA_KEY is theirs.
 *
 * @throws a KeyError where it is another one.
 */
export const openKeys = async ({ databaseUrl, keyRing, keysDatabaseUrl }: KeysConfig): Promise<SubjectKeys> => {
  const apart = keysDatabaseUrl ? connect(keysDatabaseUrl, { max: POOL_CONNECTIONS, name: 'keys' }) : undefined
  const sql = apart ?? connect(databaseUrl, { max: 1, name: 'keys' })
  try {
    await assertRing(sql, keyRing)
  } catch (error) {
    await apart?.end({ timeout: 0 })
    throw error
  } finally {
    if (!apart) await sql.end({ timeout: 1 })
  }
  return openSubjectKeys(keyRing, apart)
}
