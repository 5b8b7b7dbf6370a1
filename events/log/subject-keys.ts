import type { Database, Sql } from './connection.ts'
import { LogError } from './errors.ts'
import { type DataKey, type KeyRing, makeDataKey, unwrap, type WrappedKey } from './key-ring.ts'

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
  readonly apart: Sql | undefined
  /** The key at hand for a subject, if there is one. */
  kept: (subjectId: string) => DataKey | undefined
  /** Opens a stored key. Throws a KeyError where DATA_KEY does not fit. */
  open: (subjectId: string, stored: WrappedKey) => DataKey
  /** Keeps a proposed key at hand, now that it is stored. */
  keep: (subjectId: string, proposed: ProposedKey) => void
  /** Keeps a subject's key no more. */
  drop: (subjectId: string) => void
}

/** Opens the keys. `apart` is the pool of their own database, if they have one. */
export const openSubjectKeys = (ring: KeyRing, apart?: Sql): SubjectKeys => {
  const kept = new Map<string, { wrapped: Buffer; key: DataKey }>()

  const keep = (subjectId: string, wrapped: Buffer, key: DataKey) => {
    kept.delete(subjectId)
    kept.set(subjectId, { wrapped, key })
    const [oldest] = kept.size > MAX_KEPT_KEYS ? kept.keys() : []
    if (oldest !== undefined) kept.delete(oldest)
  }

  return {
    ring,
    apart,
    kept: (subjectId) => kept.get(subjectId)?.key,
    open: (subjectId, stored) => {
      const known = kept.get(subjectId)
      if (known?.wrapped.equals(stored.wrapped)) return known.key
      const key = unwrap(ring, subjectId, stored)
      keep(subjectId, stored.wrapped, key)
      return key
    },
    keep: (subjectId, { wrapped, key }) => keep(subjectId, wrapped, key),
    drop: (subjectId) => kept.delete(subjectId),
  }
}

const select = (sql: Database, subjectIds: string[]) => sql<KeyRow[]>`
  select subject_id as "subjectId", wrapped, ring_key as "ringKey" from subject_keys
  where subject_id = any(${subjectIds}::uuid[])`

const isStored = (row: KeyRow): row is KeyRow & WrappedKey => row.wrapped !== null && row.ringKey !== null

/** The stored keys of some subjects, by subject; those without a key, or whose key was destroyed, are left out. */
export const readKeys = async (sql: Database, subjectIds: string[]): Promise<Map<string, WrappedKey>> =>
  new Map((await select(sql, subjectIds)).filter(isStored).map((row) => [row.subjectId, row]))

/** The keys of some subjects, by subject; those of erased people are left out. */
export const keysForReading = async (
  sql: Database,
  keys: SubjectKeys,
  subjectIds: string[],
): Promise<Map<string, DataKey>> => {
  if (subjectIds.length === 0) return new Map()
  const stored = await readKeys(keys.apart ?? sql, subjectIds)
  return new Map([...stored].map(([subjectId, wrapped]) => [subjectId, keys.open(subjectId, wrapped)]))
}

/** Stores proposed keys in the keys' own database; where a subject has one already, that one stays. */
const storeApart = async (apart: Database, ring: KeyRing, subjectIds: string[]) => {
  const rows = subjectIds.map((subjectId) => {
    const { wrapped, ringKey } = makeDataKey(ring, subjectId)
    return { subject_id: subjectId, wrapped, ring_key: ringKey }
  })
  await apart`insert into subject_keys ${apart(rows)} on conflict do nothing`
}

/**
 * Brings the keys of subjects to hand that are about to be written about. Answers those that no store holds: propose
 * keys for them. Throws a LogError `erased` where a subject's key was destroyed.
 */
export const loadKeys = async (sql: Database, keys: SubjectKeys, subjectIds: string[]): Promise<string[]> => {
  if (keys.apart) await storeApart(keys.apart, keys.ring, subjectIds)
  const rows = await select(keys.apart ?? sql, subjectIds)
  for (const row of rows) {
    if (isStored(row)) keys.open(row.subjectId, row)
    else throw new LogError('erased', 'This person has been erased: nothing is written about them any more')
  }
  return subjectIds.filter((id) => !rows.some(({ subjectId }) => subjectId === id))
}

/**
 * Destroys the keys of subjects for good, and leaves tombstones, so that nothing is written about them any more. The
 * log's database has a tombstone too where the keys are apart: appends look there.
 */
export const destroyKeys = async (sql: Database, { apart, drop }: SubjectKeys, subjectIds: string[]): Promise<void> => {
  if (subjectIds.length === 0) return
  for (const store of apart ? [apart, sql] : [sql]) {
    await store`
      insert into subject_keys (subject_id, destroyed_at)
      select id, now() from unnest(${subjectIds}::uuid[]) as s (id)
      on conflict (subject_id) do update set wrapped = null, ring_key = null, destroyed_at = now()
      where subject_keys.destroyed_at is null`
  }
  for (const subjectId of subjectIds) drop(subjectId)
}
