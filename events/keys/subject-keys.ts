/**
 * What is personal is encrypted. All that a visitor wrote, and all that tells who they are, is in an event's `personal`
 * part: AES-256-GCM with a key for each person, wrapped by DATA_KEY. The rest of the event (`data`) holds words of ours
 * only. Queues, stream names, log lines and metrics hold neither names nor addresses.
 */

import type { Database, Pool } from '../stores/postgres/pool.ts'
import { KeyStoreError, LogError } from './errors.ts'
import { type DataKey, KeyError, type KeyRing, makeDataKey, unwrap, type WrappedKey } from './key-ring.ts'

/** How many opened keys a process keeps at hand. */
const MAX_KEPT_KEYS = 5_000

/** A fresh key that no store holds yet: the append that first uses it stores it. */
export type ProposedKey = WrappedKey & { key: DataKey }

/** A subject's row: a tombstone has no key. */
type KeyRow = { subjectId: string; wrapped: Buffer | null; ringKey: string | null }

/**
 * The data keys, one for each data subject (a lead's person, a chat's visitor). They are in the log's own database, or
 * apart from it in one of their own. To destroy a key is to erase its person: what it encrypted stays as it is, in the
 * log and in every backup of it, and nobody can read it.
 */
export type SubjectKeys = {
  readonly ring: KeyRing
  /** The keys' own database; undefined where they are beside the log. */
  readonly apart: Pool | undefined
  /** The key at hand for a subject, if there is one. */
  kept: (subjectId: string) => DataKey | undefined
  /** Opens a stored key. Throws a KeyError where DATA_KEY does not fit. */
  open: (subjectId: string, stored: WrappedKey) => DataKey
  /** Opens a stored key and keeps it at hand, to write with. Throws a KeyError where DATA_KEY does not fit. */
  openToWrite: (subjectId: string, stored: WrappedKey) => DataKey
  /** Keeps a proposed key at hand, now that it is stored. */
  keep: (subjectId: string, proposed: ProposedKey) => void
  /** Keeps a subject's key no more. */
  drop: (subjectId: string) => void
}

/** A copy in memory of its own: a part of what was read from Postgres would keep all of it, up to 64 KiB. */
const copyAlone = (bytes: Buffer): Buffer => {
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
}

/** Opens the keys. `apart` is the pool of their own database, if they have one. */
export const openSubjectKeys = (ring: KeyRing, apart?: Pool): SubjectKeys => {
  const kept = new Map<string, { wrapped: Buffer; key: DataKey }>()

  const keep = (subjectId: string, wrapped: Buffer, key: DataKey) => {
    kept.delete(subjectId)
    kept.set(subjectId, { wrapped: copyAlone(wrapped), key })
    const [oldest] = kept.size > MAX_KEPT_KEYS ? kept.keys() : []
    if (oldest !== undefined) kept.delete(oldest)
  }

  const open = (subjectId: string, stored: WrappedKey) => {
    const known = kept.get(subjectId)
    return known?.wrapped.equals(stored.wrapped) ? known.key : unwrap(ring, subjectId, stored)
  }

  return {
    ring,
    apart,
    kept: (subjectId) => kept.get(subjectId)?.key,
    open,
    openToWrite: (subjectId, stored) => {
      const key = open(subjectId, stored)
      keep(subjectId, stored.wrapped, key)
      return key
    },
    keep: (subjectId, { wrapped, key }) => keep(subjectId, wrapped, key),
    drop: (subjectId) => kept.delete(subjectId),
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
  kept: () => undefined,
  open: withoutKeys,
  openToWrite: withoutKeys,
  keep: () => {},
  drop: () => {},
}

const select = (sql: Database, subjectIds: string[]) => sql<KeyRow[]>`
  select subject_id as "subjectId", wrapped, ring_key as "ringKey" from subject_keys
  where subject_id = any(${subjectIds}::uuid[])`

/** Asks the keys' own database; throws a KeyStoreError where it gives no answer. */
const ask = async <T>(query: PromiseLike<T>): Promise<T> => {
  try {
    return await query
  } catch (error) {
    throw new KeyStoreError(error)
  }
}

const selectFrom = async (sql: Database, { apart }: SubjectKeys, subjectIds: string[]): Promise<KeyRow[]> =>
  apart ? await ask(select(apart, subjectIds)) : await select(sql, subjectIds)

const storedKey = ({ wrapped, ringKey }: KeyRow): WrappedKey | null =>
  wrapped === null || ringKey === null ? null : { wrapped, ringKey }

const bySubject = (rows: KeyRow[]) => new Map(rows.map((row) => [row.subjectId, storedKey(row)]))

/** The stored keys of some subjects, by subject, null where a key was destroyed. A subject without a row is left out. */
export const readKeys = async (sql: Database, subjectIds: string[]): Promise<Map<string, WrappedKey | null>> =>
  bySubject(await select(sql, subjectIds))

/**
 * The key to read with what was written about a subject; null where it was destroyed, which is an erasure. Throws a
 * KeyError where there was never a key (undefined): it was lost, and nobody was erased.
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
 * The keys that one store has of some subjects, by subject, null where it was destroyed. Throws a KeyError where one is
 * missing or does not fit, and a KeyStoreError where the keys' own database gives no answer.
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
 * The keys of some subjects, by subject, null where it was destroyed. Where the keys are apart a tombstone in the log's own
 * database counts as well: a key store that was set back to an older backup brings nobody back. Throws as `openKeysIn`.
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

/** Stores proposed keys in the keys' own database; where a subject has one already, that one stays. */
const storeApart = async (apart: Database, ring: KeyRing, subjectIds: string[]) => {
  const rows = subjectIds.map((subjectId) => {
    const { wrapped, ringKey } = makeDataKey(ring, subjectId)
    return { subject_id: subjectId, wrapped, ring_key: ringKey }
  })
  await ask(apart`insert into subject_keys ${apart(rows)} on conflict do nothing`)
}

/**
 * Brings the keys of subjects to hand that are about to be written about. Answers those that no store holds: propose
 * keys for them. Throws a LogError `erased` where a subject's key was destroyed.
 */
export const loadKeys = async (sql: Database, keys: SubjectKeys, subjectIds: string[]): Promise<string[]> => {
  if (keys.apart) await storeApart(keys.apart, keys.ring, subjectIds)
  const rows = await selectFrom(sql, keys, subjectIds)
  for (const row of rows) {
    const stored = storedKey(row)
    if (stored) keys.openToWrite(row.subjectId, stored)
    else throw new LogError('erased', 'This person has been erased: nothing is written about them any more')
  }
  return subjectIds.filter((id) => !rows.some(({ subjectId }) => subjectId === id))
}

const destroy = (store: Database, subjectIds: string[]) => store`select destroy_keys(${subjectIds}::uuid[])`

/**
 * Destroys the keys of subjects for good, and leaves tombstones, so that nothing is written about them any more. The
 * log's database has a tombstone too where the keys are apart: appends look there. It gets that first: a key store that
 * knows of an erasure which the log does not know is the sign of a log that was set back to a backup (home.ts). `sql` is
 * no transaction, so that the first is stored before the second is asked.
 */
export const destroyKeys = async (sql: Database, { apart, drop }: SubjectKeys, subjectIds: string[]): Promise<void> => {
  if (subjectIds.length === 0) return
  await destroy(sql, subjectIds)
  if (apart) await ask(destroy(apart, subjectIds))
  for (const subjectId of subjectIds) drop(subjectId)
}
