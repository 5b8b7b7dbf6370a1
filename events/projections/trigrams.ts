import type { ConsumerKey } from '../log/checkpoints.ts'
import type { Sql } from '../stores/connection.ts'
import { schemaOf } from './projection.ts'

/**
 * The options of a trigram index with bursts of inserts. Postgres stores new entries in a pending list, which searches
 * read too: to file one lead in the index takes 0.4 ms, to file thousands together 0.02 ms each. A writer files the
 * list itself only once it has grown to this many KiB, some 50,000 leads.
 */
export const TRIGRAMS = 'with (fastupdate = on, gin_pending_list_limit = 65536)'

/**
 * Files the pending entries of a view's trigram indexes, and returns how many pages they filled. Searches find the same
 * before and after. Of two concurrent calls the second waits for the first, and then has nothing to do.
 */
export const fileTrigrams = async (sql: Sql, view: ConsumerKey): Promise<number> => {
  const indexes = await sql<{ id: number }[]>`
    select c.oid::bigint as id from pg_class c
    join pg_namespace n on n.oid = c.relnamespace join pg_am m on m.oid = c.relam
    where c.relkind = 'i' and m.amname = 'gin' and n.nspname = ${schemaOf(view)}`
  let filed = 0
  for (const { id } of indexes) {
    const [row] = await sql<{ pages: number }[]>`select gin_clean_pending_list(${id}::bigint::oid::regclass) as pages`
    filed += row?.pages ?? 0
  }
  return filed
}
