import type { Sql } from '../log/connection.ts'
import { makeDataKey, parseKeyRing } from '../log/key-ring.ts'
import { openSubjectKeys, type SubjectKeys } from '../log/subject-keys.ts'

/** The DATA_KEY of all tests. */
export const TEST_DATA_KEY = Buffer.alloc(32, 'a key of the tests').toString('base64')

/** Opens keys as a process of the product with this DATA_KEY does; `apart` is the pool of their own database. */
export const openTestKeys = (dataKey: string = TEST_DATA_KEY, apart?: Sql): SubjectKeys => {
  const ring = parseKeyRing(dataKey)
  if (!ring) throw new Error(`${dataKey} is no DATA_KEY`)
  return openSubjectKeys(ring, apart)
}

/** The keys of this test file. */
export const TEST_KEYS = openTestKeys()

/** Stores a data key for a subject, as the append of a first event about it does. */
export const storeTestKey = async (sql: Sql, subjectId: string): Promise<void> => {
  const { wrapped, ringKey } = makeDataKey(TEST_KEYS.ring, subjectId)
  await sql`insert into subject_keys (subject_id, wrapped, ring_key) values (${subjectId}, ${wrapped}, ${ringKey})`
}
