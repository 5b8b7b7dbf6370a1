/**
 * KEYS_DATABASE_URL puts the data keys in a separate database. No pooler may be in front of it, and its user owns it.
 * `npm run migrate` creates its tables. Set it before the first start: nodes and workers refuse to start if the keys of
 * their log are elsewhere.
 *
 * While that database is away, nothing personal is stored in plain text. New leads and chats get 503 and Retry-After,
 * and so do reads of them; lists of emails say that they cannot be read at the moment; views and erasures wait, and no
 * one counts as erased. A chat continues if its node has the key cached. All else resumes by itself once the database
 * is back. A key that was changed or removed by hand is never taken for an erasure: work that needs it responds 503 or
 * pauses, with a log line that names the key, until an operator fixes it.
 */

import { KeyError, type KeyRing } from '../keys/key-ring.ts'
import { openSubjectKeys, type SubjectKeys } from '../keys/subject-keys.ts'
import { assertDirect } from '../process/store-checks.ts'
import { connect, inTransaction, type Sql } from '../stores/connection.ts'
import { assertKeysSchema, SCHEMA_WAIT_MS } from './schema.ts'

const POOL_CONNECTIONS = 2
/** A caller waits for the result. */
const STATEMENT_TIMEOUT_MS = 4_000

/** The number of last events that are searched for one with personal data. */
const LOOKED_THROUGH = 1_000

/** Any number that nothing else in this database locks. */
const RING_LOCK = 7_283_111

/** Where the data keys are, and the ring that unwraps them: a part of each process's configuration. */
export type KeysConfig = {
  databaseUrl: string
  keyRing: KeyRing
  keysDatabaseUrl: string | undefined
  /** Bounds a statement in the keys' own database. */
  statementTimeoutMs?: number
}

/**
 * Notes the ring's active key in the keys' database. Throws a KeyError if data keys were wrapped by a key that the ring
 * lacks: with a DATA_KEY without it nothing could be read.
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

const openApart = async (keysDatabaseUrl: string, statementTimeoutMs: number): Promise<Sql> => {
  await assertDirect('KEYS_DATABASE_URL', keysDatabaseUrl)
  return connect(keysDatabaseUrl, { max: POOL_CONNECTIONS, name: 'keys', statementTimeoutMs })
}

/**
 * Opens the data keys of a process, and checks that DATA_KEY fits them. A separate database of keys has to be
 * reachable, and migrated within 30 seconds.
 *
 * @throws a KeyError if DATA_KEY does not fit, an UnreachableError or a SchemaError if the keys' database cannot be
 *   used.
 */
export const openKeys = async ({
  databaseUrl,
  keyRing,
  keysDatabaseUrl,
  statementTimeoutMs = STATEMENT_TIMEOUT_MS,
}: KeysConfig): Promise<SubjectKeys> => {
  const apart = keysDatabaseUrl === undefined ? undefined : await openApart(keysDatabaseUrl, statementTimeoutMs)
  const sql = apart ?? connect(databaseUrl, { max: 1, name: 'keys' })
  try {
    if (apart) await assertKeysSchema(apart, { waitMs: SCHEMA_WAIT_MS })
    await assertRing(sql, keyRing)
  } catch (error) {
    await apart?.end({ timeout: 0 })
    throw error
  } finally {
    if (!apart) await sql.end({ timeout: 1 })
  }
  return openSubjectKeys(keyRing, apart)
}

/**
 * Throws a KeyError if the keys of the log's events are in another database than the configured one: KEYS_DATABASE_URL
 * is new, is missing, or names another database. Without keys nothing could be read, and new ones would be made for the
 * same people.
 */
export const assertSameKeys = async (sql: Sql, { apart }: SubjectKeys): Promise<void> => {
  const [newest] = await sql<{ subjectId: string }[]>`
    select subject_id as "subjectId" from events
    where personal is not null and position > (select last_position from log_head) - ${LOOKED_THROUGH}
    order by position desc limit 1`
  if (!newest) return
  const [key] = await (apart ?? sql)`select from subject_keys where subject_id = ${newest.subjectId}`
  if (key) return
  throw new KeyError(
    apart
      ? 'KEYS_DATABASE_URL: that database does not hold the data keys of this log: correct the address'
      : 'The data keys of this log are not in its database: set KEYS_DATABASE_URL to the address of their database',
  )
}
