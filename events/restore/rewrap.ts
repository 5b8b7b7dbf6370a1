/**
 * Changing DATA_KEY:
 *
 * 1. Add the new key after the old one (`old,new`) everywhere, and restart nodes and workers. Then put it first
 *   (`new,old`) everywhere, and restart them again.
 * 2. Run `npm run log -- rewrap`. It encrypts all data keys with the first key, while the site stays up, and names the
 *   key that is no longer needed. Remove that one.
 *
 * Keys that were exported before still need the old key: export them again.
 */

import { type KeyRing, rewrap, type WrappedKey } from '../keys/key-ring.ts'
import type { Progress } from '../log/verify.ts'
import type { Database } from '../stores/postgres/pool.ts'

const BATCH_KEYS = 500
const NIL_UUID = '00000000-0000-0000-0000-000000000000'

type Stored = WrappedKey & { subjectId: string }

/** A key that was destroyed or wrapped again since it was read stays as it is. */
const replaceKeys = async (store: Database, ring: KeyRing, rows: Stored[]) => {
  const fresh = rows.map((row) => ({ ...row, fresh: rewrap(ring, row.subjectId, row) }))
  const base64 = (bytes: Buffer) => bytes.toString('base64')
  await store`
    update subject_keys k set wrapped = decode(f.wrapped, 'base64'), ring_key = ${ring.active.id}
    from unnest(
      ${fresh.map(({ subjectId }) => subjectId)}::uuid[], ${fresh.map(({ wrapped }) => base64(wrapped))}::text[],
      ${fresh.map((row) => base64(row.fresh.wrapped))}::text[]
    ) as f (subject_id, old, wrapped)
    where k.subject_id = f.subject_id and k.wrapped = decode(f.old, 'base64')`
}

/**
 * Wraps all data keys with the active key of DATA_KEY, in small statements: it can be interrupted and started again,
 * and nodes continue during that time. Then removes the keys of DATA_KEY that no longer wrap anything, so processes
 * start without them. Returns the number of keys it wrapped, and the keys of DATA_KEY that may go.
 *
 * @throws a KeyError if DATA_KEY does not open a data key.
 */
export const rewrapKeys = async (
  store: Database,
  ring: KeyRing,
  { onProgress = () => {} }: { onProgress?: Progress } = {},
): Promise<{ wrapped: number; removed: string[] }> => {
  const { id: active } = ring.active
  const [row] = await store<{ count: number }[]>`
    select count(*) as count from subject_keys where ring_key <> ${active}`
  const total = row?.count ?? 0
  let wrapped = 0
  let last = NIL_UUID
  for (;;) {
    const rows = await store<Stored[]>`
      select subject_id as "subjectId", wrapped, ring_key as "ringKey" from subject_keys
      where subject_id > ${last} and ring_key <> ${active} order by subject_id limit ${BATCH_KEYS}`
    if (rows.length === 0) break
    await replaceKeys(store, ring, rows)
    wrapped += rows.length
    last = rows.at(-1)?.subjectId ?? last
    onProgress({ position: wrapped, head: Math.max(total, wrapped) })
  }
  await store`insert into ring_keys (id) values (${active}) on conflict do nothing`
  const removed = await store<{ id: string }[]>`
    delete from ring_keys r where r.id <> ${active} and not exists (select from subject_keys k where k.ring_key = r.id)
    returning r.id`
  return { wrapped, removed: removed.map(({ id }) => id) }
}
