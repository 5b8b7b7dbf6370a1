import type { ConsumerKey } from '../log/checkpoints.ts'
import type { Queryable } from '../log/decode.ts'

/** The tables outside the log that an erasure changes. */
export const REWRITTEN_TABLES = ['deliveries', 'subject_keys'] as const

/** The views that hold personal data. */
const PERSONAL_VIEWS = ['leads', 'chats'] as const

/** How long after an erasure its traces may stay in files: within a day, with time for a failure and another try. */
export const REWRITE_AFTER_MS = 12 * 60 * 60 * 1000

/** How long one rewrite may take before another worker begins it again. */
const CLAIM_MINUTES = 60

/** Longer than the transaction that removes a person stays open. */
const ERASING_MINUTES = 1

/** Something to write into new files: a version of a view, or a table (version 0). */
export type Rewrite = ConsumerKey & {
  begunAt: Date
  /** The time at which all its erasures had been committed. */
  erasedBy: Date
}

/** Notes an erasure of a person who is in no view: the tables have to be rewritten. */
export const noteTableRewrites = async (tx: Queryable): Promise<void> => {
  await tx`
    insert into rewrites (name, version) select name, 0 from unnest(${[...REWRITTEN_TABLES]}::text[]) as t (name)
    on conflict (name, version) do update set last_at = clock_timestamp()`
}

/** Notes an erasure: every existing version of a view has to be rewritten, and the tables. */
export const noteRewrites = async (tx: Queryable): Promise<void> => {
  await tx`
    insert into rewrites (name, version)
    select consumer, version from checkpoints where consumer in ${tx(PERSONAL_VIEWS)}
    on conflict (name, version) do update set last_at = clock_timestamp()`
  await noteTableRewrites(tx)
}

/** Claims those of `wanted` that are due and unclaimed. For removed versions of views nothing is left to do. */
export const claimRewrites = async (
  sql: Queryable,
  { wanted, afterMs }: { wanted: readonly ConsumerKey[]; afterMs: number },
): Promise<Rewrite[]> => {
  await sql`
    delete from rewrites r where version > 0
      and not exists (select from checkpoints c where c.consumer = r.name and c.version = r.version)`
  return await sql<Rewrite[]>`
    update rewrites r set claimed_until = now() + ${CLAIM_MINUTES} * interval '1 minute'
    from unnest(${wanted.map(({ name }) => name)}::text[], ${wanted.map(({ version }) => version)}::integer[]) as o (name, version)
    where (r.name, r.version) = (o.name, o.version) and r.since <= now() - ${afterMs} * interval '1 millisecond'
      and (r.claimed_until is null or r.claimed_until < now())
    returning r.name, r.version, now() as "begunAt",
      least(now(), r.last_at + ${ERASING_MINUTES} * interval '1 minute') as "erasedBy"`
}

/** Finishes a rewrite; erasures during it wait for the next one. */
export const finishRewrite = async (sql: Queryable, { name, version, begunAt }: Rewrite): Promise<void> => {
  await sql`delete from rewrites where name = ${name} and version = ${version} and last_at < ${begunAt}`
  await sql`update rewrites set since = last_at, claimed_until = null where name = ${name} and version = ${version}`
}

/** Releases a rewrite that failed. */
export const releaseRewrite = async (sql: Queryable, { name, version }: Rewrite): Promise<void> => {
  await sql`update rewrites set claimed_until = null where name = ${name} and version = ${version}`
}
