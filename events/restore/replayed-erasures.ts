import { chatActivityStreams } from '../chat/activity.ts'
import type { ErasedSubject } from '../erasure/erased-subjects.ts'
import { leadStreams } from '../lead/lead.ts'
import type { Database } from '../stores/postgres/pool.ts'

const BATCH_SUBJECTS = 5_000

/**
 * Destroys keys in one store for good and leaves tombstones, including for subjects without a key in it. Existing
 * tombstones stay. Returns the number of new ones.
 */
export const destroyErasedKeys = async (store: Database, erased: readonly ErasedSubject[]): Promise<number> => {
  let count = 0
  for (let from = 0; from < erased.length; from += BATCH_SUBJECTS) {
    const batch = erased.slice(from, from + BATCH_SUBJECTS)
    const destroyed = await store`
      insert into subject_keys (subject_id, destroyed_at)
      select distinct on (id) id, at from unnest(
        ${batch.map(({ subjectId }) => subjectId)}::uuid[], ${batch.map(({ erasedAt }) => erasedAt)}::timestamptz[]
      ) as s (id, at)
      on conflict (subject_id) do update set wrapped = null, ring_key = null, destroyed_at = excluded.destroyed_at
      where subject_keys.destroyed_at is null
      returning subject_id`
    count += destroyed.length
  }
  return count
}

/**
 * Returns the first erased subject that a log does not know as erased: it has neither a tombstone nor an erasure event
 * that workers are about to carry out.
 */
export const firstUnknown = async (sql: Database, erased: readonly ErasedSubject[]): Promise<string | undefined> => {
  for (let from = 0; from < erased.length; from += BATCH_SUBJECTS) {
    const ids = erased.slice(from, from + BATCH_SUBJECTS).map(({ subjectId }) => subjectId)
    const [row] = await sql<{ id: string }[]>`
      select s.id from unnest(${ids}::uuid[]) as s (id)
      where not exists (select from subject_keys k where k.subject_id = s.id and k.destroyed_at is not null)
        and not exists (
          select from events e
          where e.stream in (${leadStreams.prefix}::text || s.id, ${chatActivityStreams.prefix}::text || s.id)
            and e.type in ('LeadErased', 'ChatErased')
        )
      limit 1`
    if (row) return row.id
  }
  return undefined
}
