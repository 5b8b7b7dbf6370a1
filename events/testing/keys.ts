import { makeDataKey, parseKeyRing } from '../keys/key-ring.ts'
import { openSubjectKeys, type SubjectKeys } from '../keys/subject-keys.ts'
import type { Sql } from '../stores/connection.ts'

/** The DATA_KEY of all tests. */
export const TEST_DATA_KEY = Buffer.alloc(32, 'a key of the tests').toString('base64')

/** Opens keys as a process of the product with this DATA_KEY does; `apart` is the pool of their own database. */
export const openTestKeys = (dataKey: string = TEST_DATA_KEY, apart?: Sql): SubjectKeys => {
  const ring = parseKeyRing(dataKey)
  if (!ring) throw new Error(`${dataKey} is no DATA_KEY`)
  return openSubjectKeys(ring, apart)
}

let opened = openTestKeys()

/** The keys of this test file. */
export const TEST_KEYS: SubjectKeys = {
  ring: opened.ring,
  apart: undefined,
  cached: (subjectId) => opened.cached(subjectId),
  open: (subjectId, stored) => opened.open(subjectId, stored),
  openToWrite: (subjectId, stored) => opened.openToWrite(subjectId, stored),
  cache: (subjectId, proposed) => opened.cache(subjectId, proposed),
  drop: (subjectId) => opened.drop(subjectId),
}

/** Drops the keys of the previous database: the same subject has another key in the next one. */
export const forgetTestKeys = (): void => {
  opened = openTestKeys()
}

/** Stores a data key for a subject, as the append of a first event about it does. */
export const storeTestKey = async (sql: Sql, subjectId: string): Promise<void> => {
  const { wrapped, ringKey } = makeDataKey(TEST_KEYS.ring, subjectId)
  await sql`insert into subject_keys (subject_id, wrapped, ring_key) values (${subjectId}, ${wrapped}, ${ringKey})`
}
