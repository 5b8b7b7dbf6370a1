import type { ConsumerKey } from '../log/checkpoints.ts'
import type { Queryable } from '../log/decode.ts'

/** The tables beside the log that an erasure changes. */
export const REWRITTEN_TABLES = ['deliveries', 'subject_keys'] as const

/** The views that hold what is personal. */
const PERSONAL_VIEWS = ['leads', 'chats'] as const

/** How long after an erasure its traces may stay in files: within a day, with time for a failure and another try. */
export const REWRITE_AFTER_MS = 12 * 60 * 60 * 1000

/** How long one rewrite may take before another worker begins it again. */
const CLAIM_MINUTES = 60

/** Longer than the transaction that forgets a person stays open. */
const FORGETTING_MINUTES = 1

/** What has to be written into new files: a view in one of its versions, or a table (version 0). */
export type Rewrite = ConsumerKey & {
  begunAt: Date
  /** When all erasures that it is for had been committed. */
  erasedBy: Date
}

/** Notes that somebody has been erased of whom no view holds anything: the tables have to be rewritten. */
export const noteTableRewrites = async (tx: Queryable): Promise<void> => {
  await tx`
    insert into rewrites (name, version) select name, 0 from unnest(${[...REWRITTEN_TABLES]}::text[]) as t (name)
    on conflict (name, version) do update set last_at = clock_timestamp()`
}

/** Notes that somebody has been erased: every version of a view that is kept has to be rewritten, and the tables. */
export const noteRewrites = async (tx: Queryable): Promise<void> => {
  await tx`
    insert into rewrites (name, version)
    select consumer, version from checkpoints where consumer in ${tx(PERSONAL_VIEWS)}
    on conflict (name, version) do update set last_at = clock_timestamp()`
  await noteTableRewrites(tx)
}

/**
 * Takes those of `ours` that are due and in nobody's hands. Of versions of views that were removed nothing is left to
 * do.
 */
export const claimRewrites = async (
  sql: Queryable,
  { ours, afterMs }: { ours: readonly ConsumerKey[]; afterMs: number },
): Promise<Rewrite[]> => {
  await sql`
    delete from rewrites r where version > 0
      and not exists (select from checkpoints c where c.consumer = r.name and c.version = r.version)`
  return await sql<Rewrite[]>`
    update rewrites r set claimed_until = now() + ${CLAIM_MINUTES} * interval '1 minute'
    from unnest(${ours.map(({ name }) => name)}::text[], ${ours.map(({ version }) => version)}::integer[]) as o (name, version)
    where (r.name, r.version) = (o.name, o.version) and r.since <= now() - ${afterMs} * interval '1 millisecond'
      and (r.claimed_until is null or r.claimed_until < now())
    returning r.name, r.version, now() as "begunAt",
      least(now(), r.last_at + ${FORGETTING_MINUTES} * interval '1 minute') as "erasedBy"`
}

/** Gives a rewrite back that is done; who was erased while it went on waits for the next one. */
export const finishRewrite = async (sql: Queryable, { name, version, begunAt }: Rewrite): Promise<void> => {
  await sql`delete from rewrites where name = ${name} and version = ${version} and last_at < ${begunAt}`
  await sql`update rewrites set since = last_at, claimed_until = null where name = ${name} and version = ${version}`
}

/** Gives a rewrite back that failed. */
export const releaseRewrite = async (sql: Queryable, { name, version }: Rewrite): Promise<void> => {
  await sql`update rewrites set claimed_until = null where name = ${name} and version = ${version}`
}
