import { keyStores } from '../erasure/ledger.ts'
import type { SubjectKeys } from '../keys/subject-keys.ts'
import { inTransaction, type Sql } from '../stores/connection.ts'

const BATCH_KEYS = 10_000
const NIL_UUID = '00000000-0000-0000-0000-000000000000'

/** The log holds data that no key opens; the message is one line with advice. */
export class MissingKeysError extends Error {
  override name = 'MissingKeysError'
}

/**
 * Returns the data subjects with personal data in the log who have neither a key in the store that keys are read from
 * (`apart`, or else the log's database) nor a tombstone in any store.
 */
export const findKeyless = (sql: Sql, apart: SubjectKeys['apart']): Promise<string[]> =>
  inTransaction(sql, async (tx) => {
    await tx`create temp table known_subjects (id uuid primary key) on commit drop`
    for (const store of keyStores(sql, apart)) {
      const countsKeys = store === (apart ?? sql)
      for (let last = NIL_UUID; ; ) {
        const rows = await store<{ id: string }[]>`
          select subject_id as id from subject_keys
          where subject_id > ${last} and (${countsKeys} or destroyed_at is not null)
          order by subject_id limit ${BATCH_KEYS}`
        if (rows.length === 0) break
        const ids = rows.map(({ id }) => id)
        await tx`insert into known_subjects select unnest(${ids}::uuid[]) on conflict do nothing`
        last = ids.at(-1) ?? last
      }
    }
    await tx`analyze known_subjects`
    const rows = await tx<{ id: string }[]>`
      select distinct e.subject_id as id from events e
      where e.personal is not null and not exists (select from known_subjects k where k.id = e.subject_id)`
    return rows.map(({ id }) => id)
  })

/** Throws a MissingKeysError if there are such data subjects. */
export const assertKeysAreThere = (keyless: readonly string[]): void => {
  if (keyless.length === 0) return
  throw new MissingKeysError(
    `The keys of ${keyless.length} data subjects are missing: run npm run log -- keys import FILE first, or, where they are lost, restore with --keys-lost, which erases these people`,
  )
}
