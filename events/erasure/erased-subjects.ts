import type { Database } from '../stores/postgres/pool.ts'

/** An erased data subject and the time of the erasure (ISO 8601). */
export type ErasedSubject = { subjectId: string; erasedAt: string }

/** Returns all erased subjects, by the tombstones of a key store. */
export const readErased = async (store: Database): Promise<ErasedSubject[]> => {
  const rows = await store<{ subjectId: string; erasedAt: Date }[]>`
    select subject_id as "subjectId", destroyed_at as "erasedAt" from subject_keys
    where destroyed_at is not null order by destroyed_at, subject_id`
  return rows.map(({ subjectId, erasedAt }) => ({ subjectId, erasedAt: erasedAt.toISOString() }))
}
