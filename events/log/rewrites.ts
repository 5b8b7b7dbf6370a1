import type { Queryable } from './decode.ts'

/** What has to be written into new files after an erasure: views by their names, and tables beside the log. */
const REWRITTEN = ['leads', 'chats', 'deliveries', 'subject_keys'] as const

export type Rewritten = (typeof REWRITTEN)[number]

/** How long after an erasure its traces may stay in files: within a day, with time for a failure and another try. */
export const REWRITE_AFTER_MS = 12 * 60 * 60 * 1000

/** How long one rewrite may take before another worker begins it again. */
const CLAIM_MINUTES = 60

/** Notes that somebody has been erased. */
export const noteRewrites = async (tx: Queryable): Promise<void> => {
  await tx`
    insert into rewrites (name) select unnest(${[...REWRITTEN]}::text[])
    on conflict (name) do update set last_at = now()`
}

/** Takes the rewrites that are due and in nobody's hands. */
export const claimRewrites = async (sql: Queryable, afterMs: number): Promise<{ name: Rewritten; begunAt: Date }[]> => {
  return await sql<{ name: Rewritten; begunAt: Date }[]>`
    update rewrites set claimed_until = now() + ${CLAIM_MINUTES} * interval '1 minute'
    where since <= now() - ${afterMs} * interval '1 millisecond' and (claimed_until is null or claimed_until < now())
    returning name, now() as "begunAt"`
}

/** Gives a rewrite back that is done; who was erased while it went on waits for the next one. */
export const finishRewrite = async (
  sql: Queryable,
  { name, begunAt }: { name: Rewritten; begunAt: Date },
): Promise<void> => {
  await sql`delete from rewrites where name = ${name} and last_at < ${begunAt}`
  await sql`update rewrites set since = last_at, claimed_until = null where name = ${name}`
}

/** Gives a rewrite back that failed. */
export const releaseRewrite = async (sql: Queryable, name: Rewritten): Promise<void> => {
  await sql`update rewrites set claimed_until = null where name = ${name}`
}
