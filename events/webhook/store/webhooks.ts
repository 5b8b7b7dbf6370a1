import { randomBytes, randomUUID } from 'node:crypto'
import type { Sent } from '../../base/word.ts'
import { KeyError, type KeyRing, openSecret, rewrap, sealSecret, type WrappedKey } from '../../keys/key-ring.ts'
import type { Queryable } from '../../log/read.ts'
import type { Sql } from '../../stores/connection.ts'
import type { WebhookForm, WebhookTopic } from '../form.ts'
import type { webhook } from '../wire.ts'

/** The bytes of a secret; Standard Webhooks want 24 to 64. */
const SECRET_BYTES = 32
/** How Standard Webhooks write a secret. */
const WRITTEN = 'whsec_'
/** How long the previous secret also signs, so that a receiver can change it without losing a message. */
const OLD_SECRET_SIGNS = '24 hours'
/** The list counts at most this many waiting deliveries. */
const MAX_COUNTED = 1_000
/** A webhook that has taken nothing for so long is paused. */
const FAILS_FOR = '24 hours'
/** How many waiting deliveries are renewed at a time. */
const RENEWED_ROWS = 5_000

/** The maximum number of webhooks; the list shows all of them. */
export const MAX_WEBHOOKS = 20

/** Names a webhook's secret to DATA_KEY's cipher: nothing else that it encrypts opens as this. */
const nameOf = (secretId: string) => `webhook secret ${secretId}`

/** All webhooks that are not removed, newest first. */
export const listWebhooks = async (sql: Sql): Promise<Sent<typeof webhook>[]> => {
  type Row = Omit<Sent<typeof webhook>, 'madeAt' | 'failingSince'> & { madeAt: Date; failingSince: Date | null }
  const rows = await sql<Row[]>`
    select w.id, w.url, w.topics, staff.display_name as "madeBy", w.made_by as "madeById", w.made_at as "madeAt",
      w.failing_since as "failingSince", w.paused_at is not null as "isPaused", w.paused_by_failures as "isFailed",
      w.paused_by_failures and coalesce(w.gone_at = w.paused_at, false) as "isGone",
      w.paused_by_restore as "isPausedByRestore", (
        select count(*)::integer from (
          select from webhook_deliveries d where d.webhook_id = w.id and d.state = 'waiting' limit ${MAX_COUNTED}
        ) waiting
      ) as waiting
    from webhooks w join staff on staff.id = w.made_by
    where w.removed_at is null order by w.made_at desc, w.id`
  return rows.map((row) => ({
    ...row,
    madeAt: row.madeAt.toISOString(),
    failingSince: row.failingSince?.toISOString() ?? null,
  }))
}

/** The hosts of all webhooks that there are or were, by id. */
export const webhookHosts = async (sql: Sql): Promise<Map<string, string>> => {
  const rows = await sql<{ id: string; url: string }[]>`select id, url from webhooks`
  return new Map(rows.map(({ id, url }) => [id, new URL(url).host]))
}

/** The current host of a webhook, also of a removed one. */
export const webhookHost = async (sql: Queryable, id: string): Promise<string | undefined> => {
  const [row] = await sql<{ url: string }[]>`select url from webhooks where id = ${id}`
  return row && new URL(row.url).host
}

const insertSecret = async (tx: Queryable, ring: KeyRing, webhookId: string) => {
  const id = randomUUID()
  const secret = randomBytes(SECRET_BYTES)
  const { wrapped, ringKey } = sealSecret(ring, nameOf(id), secret)
  await tx`
    insert into webhook_secrets (id, webhook_id, wrapped, ring_key) values (${id}, ${webhookId}, ${wrapped}, ${ringKey})`
  return WRITTEN + secret.toString('base64')
}

/** Adds a webhook in a transaction, and returns its secret, shown only this once; undefined if there are too many. */
export const insertWebhook = async (tx: Queryable, ring: KeyRing, { url, topics }: WebhookForm, madeBy: string) => {
  const [existing] = await tx<{ count: number }[]>`
    select count(*)::integer as count from webhooks where removed_at is null`
  if (existing && existing.count >= MAX_WEBHOOKS) return undefined
  const id = randomUUID()
  await tx`insert into webhooks (id, url, topics, made_by) values (${id}, ${url}, ${topics}, ${madeBy})`
  return { id, secret: await insertSecret(tx, ring, id) }
}

/** Changes a webhook's address and topics. Returns false if there is none. */
export const editWebhook = async (
  tx: Queryable,
  id: string,
  { url, topics }: { url?: string; topics?: WebhookTopic[] },
): Promise<boolean> => {
  const changed = await tx`
    update webhooks set url = coalesce(${url ?? null}, url), topics = coalesce(${topics ?? null}::text[], topics),
      failing_since = case when ${url ?? null}::text is null then failing_since end
    where id = ${id} and removed_at is null returning 1`
  return changed.length > 0
}

/**
 * Gives all waiting deliveries of a paused webhook their whole time again, some of them at a time, before the webhook
 * resumes: a single statement could exceed the statement time-out.
 */
export const renewWaiting = async (sql: Sql, id: string): Promise<void> => {
  const { count } = await sql`
    update webhook_deliveries set due_at = now(), first_tried_at = null, attempts_before = attempts
    where id in (
      select d.id from webhook_deliveries d join webhooks w on w.id = d.webhook_id
      where w.id = ${id} and w.paused_at is not null and w.removed_at is null and d.state = 'waiting'
        and (first_tried_at is not null or due_at > now()) and (claimed_until is null or claimed_until < now())
      limit ${RENEWED_ROWS} for update of d skip locked
    )`
  if (count === RENEWED_ROWS) await renewWaiting(sql, id)
}

/**
 * Pauses or resumes a webhook: on resuming, all waiting deliveries are due, and have their whole time again, from the
 * shortest delay on. Those never tried, or already renewed, stay untouched. Returns false if nothing changes.
 */
export const pauseWebhook = async (tx: Queryable, id: string, isPaused: boolean): Promise<boolean> => {
  const changed = await tx`
    update webhooks set paused_at = ${isPaused ? tx`now()` : null}, paused_by_failures = false,
      paused_by_restore = false, failing_since = null
    where id = ${id} and removed_at is null and (paused_at is not null) <> ${isPaused} returning 1`
  if (changed.length > 0 && !isPaused)
    await tx`
      update webhook_deliveries set due_at = now(), first_tried_at = case when claimed_until > now() then now() end,
        attempts_before = attempts - case when claimed_until > now() then 1 else 0 end
      where webhook_id = ${id} and state = 'waiting' and (first_tried_at is not null or due_at > now())`
  return changed.length > 0
}

type SecretRow = WrappedKey & { id: string }

/** A secret; undefined if no key of DATA_KEY opens it, as after the restore of a backup from before a rotation. */
const openIfKnown = (ring: KeyRing, row: SecretRow): Buffer | undefined => {
  try {
    return openSecret(ring, nameOf(row.id), row)
  } catch (error) {
    if (error instanceof KeyError) return undefined
    throw error
  }
}

/** Deletes the secrets of a webhook that have ended, and those that no key of DATA_KEY opens. */
const deleteUseless = async (tx: Queryable, ring: KeyRing, webhookId: string) => {
  const rows = await tx<(SecretRow & { hasEnd: boolean })[]>`
    select id, wrapped, ring_key as "ringKey", ends_at is not null as "hasEnd"
    from webhook_secrets where webhook_id = ${webhookId}`
  const useless = rows.filter((row) => row.hasEnd || !openIfKnown(ring, row)).map(({ id }) => id)
  await tx`delete from webhook_secrets where id = any(${useless})`
}

/**
 * Gives a webhook a new secret, and returns it; the previous one also signs for a day. Undefined if there is no
 * webhook.
 */
export const rotateSecret = async (tx: Queryable, ring: KeyRing, id: string): Promise<string | undefined> => {
  const [known] = await tx`select 1 from webhooks where id = ${id} and removed_at is null for update`
  if (!known) return undefined
  await deleteUseless(tx, ring, id)
  await tx`update webhook_secrets set ends_at = now() + ${OLD_SECRET_SIGNS}::interval where webhook_id = ${id}`
  return await insertSecret(tx, ring, id)
}

/**
 * Removes a webhook for good, with its secrets, and its address except the origin. Returns false if there is none.
 * Waiting deliveries are no longer sent; workers drop them later, since there may be very many
 * (`deleteOldDeliveries`).
 */
export const removeWebhook = async (tx: Queryable, id: string): Promise<boolean> => {
  const [row] = await tx<{ url: string }[]>`select url from webhooks where id = ${id} and removed_at is null for update`
  if (!row) return false
  await tx`delete from webhook_secrets where webhook_id = ${id}`
  await tx`update webhooks set removed_at = now(), url = ${new URL(row.url).origin} where id = ${id}`
  return true
}

/** Whether a webhook exists and is not removed. */
export const isWebhook = async (sql: Sql, id: string): Promise<boolean> =>
  (await sql`select 1 from webhooks where id = ${id} and removed_at is null`).length > 0

/** A webhook that gets messages; `madeAt`: earlier events are not sent to it. */
export type OpenWebhook = { id: string; topics: WebhookTopic[]; madeAt: Date }

/** The webhooks that get messages; those to a paused one wait. */
export const openWebhooks = (tx: Queryable) =>
  tx<OpenWebhook[]>`select id, topics, made_at as "madeAt" from webhooks where removed_at is null`

/**
 * The address of a webhook, and the secrets that sign its messages, newest first, without those that DATA_KEY does not
 * open.
 */
export const readReceiver = async (sql: Sql, ring: KeyRing, id: string) => {
  const rows = await sql<(SecretRow & { url: string })[]>`
    select s.id, w.url, s.wrapped, s.ring_key as "ringKey"
    from webhooks w join webhook_secrets s on s.webhook_id = w.id
    where w.id = ${id} and w.removed_at is null and (s.ends_at is null or s.ends_at > now())
    order by s.made_at desc`
  const [first] = rows
  return first && { url: first.url, secrets: rows.flatMap((row) => openIfKnown(ring, row) ?? []) }
}

/** Notes that a webhook took a message, or took none. */
export const recordReceipt = async (sql: Queryable, id: string, isAccepted: boolean): Promise<void> => {
  if (isAccepted) await sql`update webhooks set failing_since = null where id = ${id} and failing_since is not null`
  else await sql`update webhooks set failing_since = now() where id = ${id} and failing_since is null`
}

/** Clears the failure of a webhook if none of the messages that it refused still waits. */
export const clearFailing = async (sql: Queryable, id: string): Promise<void> => {
  await sql`
    update webhooks set failing_since = null
    where id = ${id} and failing_since is not null and paused_at is null and not exists (
      select from webhook_deliveries
      where webhook_id = ${id} and state = 'waiting' and topic <> 'test' and first_tried_at is not null
    )`
}

/**
 * Pauses a webhook that has accepted nothing for long, or immediately if it is gone; returns since when it failed,
 * undefined if it stays active.
 */
export const pauseFailing = async (tx: Queryable, id: string, isGone: boolean): Promise<Date | undefined> => {
  const [row] = await tx<{ failingSince: Date }[]>`
    update webhooks set paused_at = now(), paused_by_failures = true, gone_at = case when ${isGone} then now() end
    where id = ${id} and removed_at is null and paused_at is null
      and failing_since <= now() - case when ${isGone} then interval '0' else ${FAILS_FOR}::interval end
    returning failing_since as "failingSince"`
  return row?.failingSince
}

/**
 * Whether a webhook accepted nothing at that time, and has not been resumed since. The caller may be ahead of the
 * transaction that pauses it, so the pause itself proves nothing.
 */
export const stillFails = async (sql: Sql, id: string, at: Date): Promise<boolean> =>
  (await sql`select 1 from webhooks where id = ${id} and removed_at is null and failing_since <= ${at}`).length > 0

/** Deletes the secrets that no longer sign. */
export const deleteExpiredSecrets = async (sql: Sql): Promise<void> => {
  await sql`delete from webhook_secrets where ends_at <= now()`
}

/**
 * Encrypts all secrets with the active key of DATA_KEY. Returns the hosts of webhooks with a secret that no key opens:
 * it stays.
 */
export const rewrapWebhookSecrets = async (sql: Sql, ring: KeyRing): Promise<string[]> => {
  const rows = await sql<(SecretRow & { url: string })[]>`
    select s.id, s.wrapped, s.ring_key as "ringKey", w.url
    from webhook_secrets s join webhooks w on w.id = s.webhook_id where s.ring_key <> ${ring.active.id}`
  const closed = rows.filter((row) => !openIfKnown(ring, row))
  for (const row of rows.filter((each) => !closed.includes(each))) {
    const { wrapped, ringKey } = rewrap(ring, nameOf(row.id), row)
    await sql`update webhook_secrets set wrapped = ${wrapped}, ring_key = ${ringKey} where id = ${row.id}`
  }
  return [...new Set(closed.map(({ url }) => new URL(url).host))]
}
