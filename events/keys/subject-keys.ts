/**
 * All that a visitor wrote, and all that identifies them, is in an event's `personal` part: AES-256-GCM with a key per
 * person, wrapped by DATA_KEY. The rest of the event (`data`) holds our words only. Queues, stream names, log lines and
 * metrics hold neither names nor addresses.
 */

import { openRecent } from '../base/recent.ts'
import type { Database, Pool } from '../stores/postgres/pool.ts'
import { KeyStoreError, LogError } from './errors.ts'
import { type DataKey, KeyError, type KeyRing, makeDataKey, unwrap, type WrappedKey } from './key-ring.ts'

/** The maximum number of unwrapped keys that a process caches. */
const MAX_CACHED_KEYS = 5_000

/** A new key that no store holds yet: the append that first uses it stores it. */
export type ProposedKey = WrappedKey & { key: DataKey }

/** A subject's row: a tombstone has no key. */
type KeyRow = { subjectId: string; wrapped: Buffer | null; ringKey: string | null }

/**
 * The data keys, one per data subject (a lead's person, a chat's visitor), in the log's own database or in a separate
 * one. Destroying a key erases its person: the ciphertext stays as it is, in the log and in every backup of it, and
 * cannot be read. See events/decisions/07-erasure-by-key.md.
 */
export type SubjectKeys = {
  readonly ring: KeyRing
  /** The separate database of keys; undefined if the keys are in the log's database. */
  readonly apart: Pool | undefined
  /** Returns the cached key of a subject, if there is one. */
  cached: (subjectId: string) => DataKey | undefined
  /** Unwraps a stored key. Throws a KeyError if DATA_KEY does not fit. */
  open: (subjectId: string, stored: WrappedKey) => DataKey
  /** Unwraps a stored key and caches it for writing. Throws a KeyError if DATA_KEY does not fit. */
  openToWrite: (subjectId: string, stored: WrappedKey) => DataKey
  /** Caches a proposed key that has been stored. */
  cache: (subjectId: string, proposed: ProposedKey) => void
  /** Drops a subject's key from the cache. */
  drop: (subjectId: string) => void
}

/** A wrapped key as text: a slice of a read from Postgres would retain all of it, up to 64 KiB. */
const textOf = (wrapped: Buffer): string => wrapped.toString('latin1')

/** Opens the keys. `apart` is the pool of their own database, if they have one. */
export const openSubjectKeys = (ring: KeyRing, apart?: Pool): SubjectKeys => {
  const cache = openRecent<{ wrapped: string; key: DataKey }>({ maxEntries: MAX_CACHED_KEYS })

  const addToCache = (subjectId: string, wrapped: Buffer, key: DataKey) =>
    cache.set(subjectId, { wrapped: textOf(wrapped), key })

  const open = (subjectId: string, stored: WrappedKey) => {
    const known = cache.get(subjectId)
    return known?.wrapped === textOf(stored.wrapped) ? known.key : unwrap(ring, subjectId, stored)
  }

  return {
    ring,
    apart,
    cached: (subjectId) => cache.get(subjectId)?.key,
    open,
    openToWrite: (subjectId, stored) => {
      const key = open(subjectId, stored)
      addToCache(subjectId, stored.wrapped, key)
      return key
    },
    cache: (subjectId, { wrapped, key }) => addToCache(subjectId, wrapped, key),
    drop: (subjectId) => cache.delete(subjectId),
  }
}

const withoutKeys = () => {
  throw new KeyError('Nothing personal is stored here: this process has no DATA_KEY')
}

/** For a process that stores nothing about a person, and so needs no DATA_KEY. */
export const NO_KEYS: SubjectKeys = {
  get ring() {
    return withoutKeys()
  },
  apart: undefined,
  cached: () => undefined,
  open: withoutKeys,
  openToWrite: withoutKeys,
  cache: () => {},
  drop: () => {},
}

const select = (sql: Database, subjectIds: string[]) => sql<KeyRow[]>`
  select subject_id as "subjectId", wrapped, ring_key as "ringKey" from subject_keys
  where subject_id = any(${subjectIds}::uuid[])`

/** Queries the separate database of keys; throws a KeyStoreError if it does not respond. */
const queryKeys = async <T>(query: PromiseLike<T>): Promise<T> => {
  try {
    return await query
  } catch (error) {
    throw new KeyStoreError(error)
  }
}

const selectFrom = async (sql: Database, { apart }: SubjectKeys, subjectIds: string[]): Promise<KeyRow[]> =>
  apart ? await queryKeys(select(apart, subjectIds)) : await select(sql, subjectIds)

const storedKey = ({ wrapped, ringKey }: KeyRow): WrappedKey | null =>
  wrapped === null || ringKey === null ? null : { wrapped, ringKey }

const bySubject = (rows: KeyRow[]) => new Map(rows.map((row) => [row.subjectId, storedKey(row)]))

/**
 * Reads the stored keys of some subjects, by subject, null if a key was destroyed. A subject without a row is left out.
 */
export const readKeys = async (sql: Database, subjectIds: string[]): Promise<Map<string, WrappedKey | null>> =>
  bySubject(await select(sql, subjectIds))

/**
 * Returns the key that decrypts data about a subject; null if it was destroyed, which is an erasure. Throws a KeyError
 * if there is no row (undefined): the key was lost, and the person was not erased.
 */
export const openStored = (
  keys: SubjectKeys,
  subjectId: string,
  stored: WrappedKey | null | undefined,
): DataKey | null => {
  if (stored === undefined) throw new KeyError(`The data key ${subjectId} is missing, and no erasure destroyed it`)
  return stored && keys.open(subjectId, stored)
}

/**
 * Returns the keys of some subjects in one store, by subject, null if destroyed. Throws a KeyError if one is missing or
 * does not fit, and a KeyStoreError if the separate database of keys does not respond.
 */
export const openKeysIn = async (
  store: Database,
  keys: SubjectKeys,
  subjectIds: string[],
): Promise<Map<string, DataKey | null>> => {
  if (subjectIds.length === 0) return new Map()
  const stored = bySubject(await selectFrom(store, keys, subjectIds))
  return new Map(subjectIds.map((id) => [id, openStored(keys, id, stored.get(id))]))
}

const readTombstones = async (sql: Database, subjectIds: string[]): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    select subject_id as id from subject_keys
    where subject_id = any(${subjectIds}::uuid[]) and destroyed_at is not null`
  return rows.map(({ id }) => id)
}

/**
 * Returns the keys of some subjects, by subject, null if destroyed. With a separate database of keys a tombstone in the
 * log's database counts as well: a key store that was reset to an older backup brings no one back. Throws as
 * `openKeysIn` does.
 */
export const keysForReading = async (
  sql: Database,
  keys: SubjectKeys,
  subjectIds: string[],
): Promise<Map<string, DataKey | null>> => {
  if (!keys.apart || subjectIds.length === 0) return await openKeysIn(sql, keys, subjectIds)
  const erased = new Set(await readTombstones(sql, subjectIds))
  const living = subjectIds.filter((id) => !erased.has(id))
  const opened = await openKeysIn(keys.apart, keys, living)
  return new Map([...opened, ...[...erased].map((id) => [id, null] as const)])
}

/** Stores proposed keys in the separate database; an existing key of a subject stays. */
const storeApart = async (apart: Database, ring: KeyRing, subjectIds: string[]) => {
  const rows = subjectIds.map((subjectId) => {
    const { wrapped, ringKey } = makeDataKey(ring, subjectId)
    return { subject_id: subjectId, wrapped, ring_key: ringKey }
  })
  await queryKeys(apart`insert into subject_keys ${apart(rows)} on conflict do nothing`)
}

/**
 * Loads the keys of subjects that are about to be written about. Returns the subjects without a key in any store:
 * propose keys for them. Throws a LogError `erased` if a subject's key was destroyed.
 */
export const loadKeys = async (sql: Database, keys: SubjectKeys, subjectIds: string[]): Promise<string[]> => {
  if (keys.apart) await storeApart(keys.apart, keys.ring, subjectIds)
  const rows = await selectFrom(sql, keys, subjectIds)
  for (const row of rows) {
    const stored = storedKey(row)
    if (stored) keys.openToWrite(row.subjectId, stored)
    else throw new LogError('erased', 'This person has been erased: nothing can be stored about them')
  }
  return subjectIds.filter((id) => !rows.some(({ subjectId }) => subjectId === id))
}

const destroy = (store: Database, subjectIds: string[]) => store`select destroy_keys(${subjectIds}::uuid[])`

/**
 * Destroys the keys of subjects for good and leaves tombstones, which refuse later writes. With a separate database of
 * keys the log's database gets a tombstone too, since appends check there, and gets it first: a key store with an
 * erasure that the log does not know is the sign of a log that was reset to a backup (log-binding.ts). `sql` is no
 * transaction, because the first tombstone must be stored before the second is requested.
 */
export const destroyKeys = async (sql: Database, { apart, drop }: SubjectKeys, subjectIds: string[]): Promise<void> => {
  if (subjectIds.length === 0) return
  await destroy(sql, subjectIds)
  if (apart) await queryKeys(destroy(apart, subjectIds))
  for (const subjectId of subjectIds) drop(subjectId)
}
