import { deterministicUuid } from '../../log/event-id.ts'
import type { Queryable } from '../../log/read.ts'
import type { Sql } from '../../stores/connection.ts'
import type { DeliveryTopic } from '../form.ts'

/** How long a worker may hold a delivery before another may take it: well beyond the time-out of one attempt. */
const CLAIM_SECONDS = 60
/** How many messages to one webhook are under way at once: one that hangs blocks no other. */
export const AT_ONCE = 4
/** How long a delivery is stored, whatever its state. */
const RETENTION = '30 days'
const DELETED_ROWS = 1_000
/** How many deliveries of removed webhooks are dropped at a time. */
const DROPPED_ROWS = 10_000
/** How many attempts of a delivery are stored: the newest. */
const MAX_STORED_TRIES = 15

/**
 * The id of a message: the same for each attempt, by any worker. `other` is the second lead that an event is about, for
 * its own message.
 */
export const deliveryIdOf = (webhookId: string, eventId: string, topic: DeliveryTopic, other?: string): string =>
  deterministicUuid('webhook', webhookId, eventId, topic, ...(other === undefined ? [] : [other]))

/** A message to a webhook about an event of the log; `subjectId` is its lead or chat, null for a test. */
export type NewDelivery = {
  id: string
  webhookId: string
  eventId: string
  position: number
  topic: DeliveryTopic
  subjectId: string | null
  happenedAt: Date
}

/** Stores new deliveries, except those of old events. Idempotent. */
export const noteWebhookDeliveries = async (tx: Queryable, deliveries: readonly NewDelivery[]): Promise<void> => {
  const rows = deliveries.map(({ id, webhookId, eventId, position, topic, subjectId, happenedAt }) => ({
    id,
    webhook_id: webhookId,
    event_id: eventId,
    event_position: position,
    topic,
    subject_id: subjectId,
    happened_at: happenedAt,
  }))
  if (rows.length === 0) return
  await tx`
    insert into webhook_deliveries (id, webhook_id, event_id, event_position, topic, subject_id, happened_at)
    select id, webhook_id, event_id, event_position, topic, subject_id, happened_at
    from jsonb_to_recordset(${tx.json(rows as never)}) as r (
      id uuid, webhook_id uuid, event_id uuid, event_position bigint, topic text, subject_id uuid, happened_at timestamptz
    ) where happened_at > now() - ${RETENTION}::interval
    on conflict do nothing`
}

/**
 * Resets a delivery, whatever its state, to one without attempts that is due now, once for the event at `position` that
 * requests it.
 */
export const resendWebhookDelivery = async (tx: Queryable, id: string, position: number): Promise<void> => {
  await tx`
    update webhook_deliveries set state = 'waiting', due_at = now(), first_tried_at = null,
      attempts_before = attempts, resend_position = ${position}
    where id = ${id} and resend_position < ${position}
      and webhook_id in (select id from webhooks where removed_at is null)`
}

/**
 * The ids of deliveries that may be sent now: for each webhook as many as it has free places, for a paused one only
 * tests.
 */
export const dueWebhookDeliveries = async (sql: Sql): Promise<string[]> => {
  const isFree = sql`due_at <= now() and (claimed_until is null or claimed_until < now())`
  const rows = await sql<{ id: string }[]>`
    select due.id from webhooks w cross join lateral (
      select count(*) as count from webhook_deliveries
      where webhook_id = w.id and state = 'waiting' and claimed_until > now()
    ) busy cross join lateral (
      (
        select id from webhook_deliveries
        where w.paused_at is null and webhook_id = w.id and state = 'waiting' and ${isFree}
        order by due_at limit greatest(0, ${AT_ONCE} - busy.count)
      ) union all (
        select id from webhook_deliveries
        where w.paused_at is not null and webhook_id = w.id and state = 'waiting' and topic = 'test' and ${isFree}
        order by due_at limit greatest(0, ${AT_ONCE} - busy.count)
      )
    ) due
    where w.removed_at is null and (w.paused_at is null or exists (
      select from webhook_deliveries where webhook_id = w.id and state = 'waiting' and topic = 'test' and due_at <= now()
    ))`
  return rows.map(({ id }) => id)
}

/** A delivery that a worker has claimed; `attemptSinceRequest` and `triedForMs` count since it was asked for last. */
export type ClaimedWebhookDelivery = Omit<NewDelivery, 'position'> & {
  attempt: number
  attemptSinceRequest: number
  triedForMs: number
}

/**
 * Claims a delivery for one attempt; undefined if it is done, not due, or claimed by another worker, if its webhook is
 * paused, or if too many others to the same webhook are under way.
 */
export const claimWebhookDelivery = async (sql: Sql, id: string): Promise<ClaimedWebhookDelivery | undefined> => {
  const [row] = await sql<ClaimedWebhookDelivery[]>`
    update webhook_deliveries d set attempts = attempts + 1, first_tried_at = coalesce(first_tried_at, now()),
      claimed_until = now() + ${CLAIM_SECONDS} * interval '1 second'
    from webhooks w
    where d.id = ${id} and w.id = d.webhook_id and w.removed_at is null and (w.paused_at is null or d.topic = 'test')
      and d.state = 'waiting' and due_at <= now() and (claimed_until is null or claimed_until < now())
      and ${AT_ONCE} > (
        select count(*) from webhook_deliveries o
        where o.webhook_id = d.webhook_id and o.state = 'waiting' and o.claimed_until > now()
      )
    returning d.id, webhook_id as "webhookId", event_id as "eventId", topic, subject_id as "subjectId",
      happened_at as "happenedAt", attempts as attempt,
      attempts - attempts_before as "attemptSinceRequest",
      extract(epoch from now() - first_tried_at)::float8 * 1000 as "triedForMs"`
  return row
}

/**
 * The result of an attempt, and the `host` that was tried, null for none. `next`: it has arrived, is tried again after
 * this many ms, is given up, or is dropped because its person was erased.
 */
export type WebhookAttempt = {
  host: string | null
  status: number | null
  problem: string | null
  answer: Buffer | null
  next: 'delivered' | 'given_up' | 'dropped' | { retryAfterMs: number }
}

/**
 * Records the result of an attempt. If the delivery was requested again during the attempt, it is sent again; if it was
 * dropped during that time, because its webhook was removed, it is no longer tried.
 */
export const recordWebhookAttempt = async (
  sql: Queryable,
  { id, attempt }: Pick<ClaimedWebhookDelivery, 'id' | 'attempt'>,
  { host, status, problem, answer, next }: WebhookAttempt,
): Promise<void> => {
  const state = typeof next === 'string' ? next : 'waiting'
  const retryAfterMs = typeof next === 'string' ? 0 : next.retryAfterMs
  const tried = { at: new Date().toISOString(), status, problem, ...(host !== null && { host }) }
  await sql`
    update webhook_deliveries set answer = ${answer}, claimed_until = null,
      tries = (
        select coalesce(jsonb_agg(try order by at), '[]') from (
          select try, at from jsonb_array_elements(${sql.json([tried])} || tries) with ordinality as t (try, at)
          limit ${MAX_STORED_TRIES}
        ) kept
      ),
      state = case
        when state = 'dropped' and ${state} <> 'delivered' then 'dropped'
        when first_tried_at is null then 'waiting'
        else ${state}
      end,
      due_at = case when first_tried_at is null then now() else now() + ${retryAfterMs} * interval '1 millisecond' end
    where id = ${id} and attempts = ${attempt}`
}

/** Deletes old deliveries, and drops those that wait for removed webhooks, some of them at a time. */
export const deleteOldDeliveries = async (sql: Sql): Promise<void> => {
  await sql`
    update webhook_deliveries set state = 'dropped', claimed_until = null
    where id in (
      select d.id from webhook_deliveries d join webhooks w on w.id = d.webhook_id
      where w.removed_at is not null and d.state = 'waiting' and (claimed_until is null or claimed_until < now())
      limit ${DROPPED_ROWS} for update of d skip locked
    )`
  await sql`
    delete from webhook_deliveries where id in (
      select id from webhook_deliveries where happened_at < now() - ${RETENTION}::interval order by happened_at limit ${DELETED_ROWS}
    )`
}
