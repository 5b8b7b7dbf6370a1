import type { StreamOf } from '../../base/definition.ts'
import type { Queryable } from '../../log/read.ts'
import { inTransaction, type Sql } from '../../stores/connection.ts'
import type { DeliveryState, EmailEvent, EmailOutcome, Recipient, RecipientState } from '../email.ts'
import type { RequestedDelivery } from './requested-deliveries.ts'

/**
 * The condition for a delivery that goes out by itself. It repeats the words of the indexes deliveries_ready and
 * deliveries_share: Postgres uses these indexes for no other words.
 */
export const isOpen = (sql: Queryable) => sql`state in ('pending', 'retrying', 'needs_activation', 'blocked')`

/** Of several inboxes those that have got an email: they do not get it again. */
const delivered = (sql: Queryable) => sql`(
  select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(inbox_states) where value = '"delivered"'
)`

/** How long a worker may hold a delivery before another may take it: well beyond the time-out of one attempt. */
const CLAIM_SECONDS = 60
/** How many attempts of a delivery are stored: the newest. */
const MAX_STORED_TRIES = 50
/** Any number that nothing else in this database locks together with a second one. */
const SHARE_LOCK = 7_283_112

/** The state of each of several inboxes, by a hash of its address; empty if there is one recipient. */
export type InboxStates = Record<string, RecipientState>

/**
 * A delivery that a worker has claimed. `attempt` counts from 1 and is never reset. Three counts restart when staff ask
 * for it again: `attemptSinceRequest`, `uncertainTries` (earlier attempts that ended without a response) and `triedForMs`
 * (since the first of them). `isResent` marks the first attempt after that.
 */
export type ClaimedDelivery = {
  eventId: string
  stream: StreamOf<EmailEvent>
  share: number | null
  attempt: number
  attemptSinceRequest: number
  uncertainTries: number
  triedForMs: number
  isResent: boolean
  resendPosition: number
  inboxStates: InboxStates
}

/** The outcome of an attempt for the log, with its event id. */
export type LoggedOutcome = EmailOutcome & { id: string }

/**
 * The result of an attempt. `kind` classifies it, `answer` is the response of the other side. `retryAfterMs` says when
 * it is due again; `outcome` is the event still to be appended to the log.
 */
export type AttemptResult = {
  state: DeliveryState
  kind: string
  answer: string
  retryAfterMs: number | undefined
  outcome: LoggedOutcome | null
  /** The state of each inbox, if there are several. */
  inboxStates?: InboxStates
}

/** Stores the deliveries of requested emails. Idempotent. */
export const addDeliveries = async (tx: Queryable, requested: RequestedDelivery[]): Promise<void> => {
  const rows = requested.map(({ id, position, stream, recipient, priority, share, askedAt }) => ({
    event_id: id,
    event_position: position,
    stream,
    recipient,
    priority,
    share,
    asked_at: askedAt,
  }))
  if (rows.length > 0) await tx`insert into deliveries ${tx(rows)} on conflict do nothing`
}

/**
 * Makes a delivery pending again and due now, whatever its state: once for the event at `position` that requests it. An
 * attempt under way continues and counts as the first since then; its result is valid. Inboxes that already have the
 * email do not get it again, unless all have it.
 */
export const resendDelivery = async (
  tx: Queryable,
  { eventId, position, askedAt }: { eventId: string; position: number; askedAt: Date },
): Promise<void> => {
  await tx`
    update deliveries set state = 'pending', due_at = now(), asked_at = ${askedAt}, updated_at = now(),
      resend_position = ${position}, attempts_before = attempts - case when claimed_until > now() then 1 else 0 end,
      uncertain_tries = 0, first_tried_at = case when claimed_until > now() then now() end,
      inbox_states = case when state = 'delivered' then '{}' else ${delivered(tx)} end
    where event_id = ${eventId} and resend_position < ${position}`
}

/** Serializes the claims of one share: two at once must not both take its last place. */
const lockShare = async (tx: Queryable, eventId: string) => {
  await tx`
    select pg_advisory_xact_lock(${SHARE_LOCK}, share) from deliveries where event_id = ${eventId} and share is not null`
}

/**
 * Claims a delivery for one attempt; undefined if it is done, unknown, not due yet, or claimed by another worker, or if
 * `perShare` others to its recipient's domain are being sent. An attempt that was cut off counts as one without a
 * response.
 */
export const claimDelivery = (
  sql: Sql,
  eventId: string,
  { perShare }: { perShare: number },
): Promise<ClaimedDelivery | undefined> =>
  inTransaction(sql, async (tx) => {
    await lockShare(tx, eventId)
    const [row] = await tx<ClaimedDelivery[]>`
      with claimed as (
        update deliveries d set attempts = attempts + 1, updated_at = now(),
          first_tried_at = coalesce(first_tried_at, now()),
          uncertain_tries = uncertain_tries + case when claimed_until is null then 0 else 1 end,
          claimed_until = now() + ${CLAIM_SECONDS} * interval '1 second'
        where event_id = ${eventId} and ${isOpen(tx)} and due_at <= now()
          and (claimed_until is null or claimed_until < now())
          and (share is null or ${perShare} > (
            select count(*) from deliveries o where o.share = d.share and o.claimed_until > now() and ${isOpen(tx)}
          ))
        returning *
      ), begun as (
        insert into delivery_tries (event_id, attempt) select event_id, attempts from claimed
      ), forgotten as (
        delete from delivery_tries t using claimed c
        where t.event_id = c.event_id and t.attempt <= c.attempts - ${MAX_STORED_TRIES}
      )
      select event_id as "eventId", stream, share, attempts as attempt, attempts - attempts_before as "attemptSinceRequest",
        uncertain_tries as "uncertainTries",
        extract(epoch from now() - first_tried_at)::float8 * 1000 as "triedForMs",
        resend_position > 0 and attempts = attempts_before + 1 as "isResent", resend_position as "resendPosition",
        inbox_states as "inboxStates"
      from claimed`
    return row
  })

/**
 * Records the result of an attempt. `isRecorded` is false if the claim had expired and another attempt has begun;
 * `isNews` says whether it changed the delivery's state, and so whether its outcome is stored for the log. The response
 * of the other side is not stored if the person has been erased during the attempt.
 */
export const recordAttempt = async (
  sql: Sql,
  { eventId, attempt }: Pick<ClaimedDelivery, 'eventId' | 'attempt'>,
  { state, kind, answer, retryAfterMs = 0, outcome, inboxStates }: AttemptResult,
): Promise<{ isRecorded: boolean; isNews: boolean }> => {
  const [recorded] = await sql<{ isNews: boolean }[]>`
    with before as (
      select event_id, state, is_erased from deliveries where event_id = ${eventId} and attempts = ${attempt} for update
    ), tried as (
      update delivery_tries t set kind = ${kind}, answer = case when not before.is_erased then ${answer} end from before
      where t.event_id = before.event_id and t.attempt = ${attempt}
    )
    update deliveries d set state = ${state}, is_erased = d.is_erased or ${kind === 'erased'},
      last_answer = case when not before.is_erased then ${answer} end, claimed_until = null, updated_at = now(),
      due_at = now() + ${retryAfterMs} * interval '1 millisecond',
      uncertain_tries = d.uncertain_tries + ${kind === 'unknown' ? 1 : 0},
      inbox_states = coalesce(${inboxStates === undefined ? null : sql.json(inboxStates)}, d.inbox_states),
      outcome = case when before.state = ${state} then d.outcome
        else coalesce(${outcome === null ? null : sql.json(outcome)}, d.outcome) end
    from before where d.event_id = before.event_id returning before.state <> ${state} as "isNews"`
  return { isRecorded: recorded !== undefined, isNews: recorded?.isNews ?? false }
}

/**
 * Returns a claimed delivery unsent, as if it had not been claimed, until a time, or until now if it was asked for
 * again since then.
 */
export const postponeDelivery = async (
  sql: Sql,
  { eventId, attempt, resendPosition }: ClaimedDelivery,
  until: Date,
): Promise<void> => {
  await sql`
    with postponed as (
      update deliveries set attempts = attempts - 1, claimed_until = null, updated_at = now(),
        first_tried_at = case when attempts - 1 > attempts_before then first_tried_at end,
        due_at = case when resend_position = ${resendPosition} then ${until} else now() end
      where event_id = ${eventId} and attempts = ${attempt} returning event_id
    )
    delete from delivery_tries t using postponed p where t.event_id = p.event_id and t.attempt = ${attempt}`
}

/**
 * The delivery states of the emails of these events; `seen` are those not sent because their visitor had read the
 * messages.
 */
export const readDeliveryStates = async (
  sql: Sql,
  eventIds: string[],
): Promise<Map<string, DeliveryState | 'seen'>> => {
  const rows = await sql<{ id: string; state: DeliveryState | 'seen' }[]>`
    select d.event_id as id, case when t.kind = 'seen' then 'seen' else d.state end as state
    from deliveries d left join delivery_tries t on t.event_id = d.event_id and t.attempt = d.attempts
    where d.event_id = any(${eventIds}::uuid[])`
  return new Map(rows.map(({ id, state }) => [id, state]))
}

/**
 * Until when nothing is sent because the service waits for the agency to confirm its address: the next attempt of those
 * that it has refused. Undefined if there is no reason to wait.
 */
export const activationPause = async (sql: Sql): Promise<Date | undefined> => {
  const [row] = await sql<{ until: Date | null }[]>`
    select max(due_at) as until from deliveries where state = 'needs_activation' and due_at > now()`
  return row?.until ?? undefined
}

/** Makes all emails due that waited for the address to be confirmed. */
export const activationIsDone = async (sql: Sql): Promise<void> => {
  await sql`update deliveries set due_at = now() where state in ('pending', 'needs_activation') and due_at > now()`
}

/** An older email to a person may surprise them: it stays in the outbox until staff send it. */
const STILL_EXPECTED = '7 days'

/** Makes the emails of the outbox to these recipients due, now that there is a way for them. */
export const releaseDeliveries = async (sql: Sql, recipients: Recipient[]): Promise<void> => {
  await sql`
    update deliveries set state = 'pending', due_at = now(), updated_at = now()
    where state = 'outbox' and not is_erased and recipient = any(${recipients})
      and (recipient = 'agency' or asked_at > now() - ${STILL_EXPECTED}::interval)`
}

/** Makes the emails due that wait after a refusal, or a failed connection: the mail server has been changed. */
export const retryDeliveries = async (sql: Sql): Promise<void> => {
  await sql`update deliveries set due_at = now() where state in ('blocked', 'retrying') and due_at > now()`
}

/** One email of the local outbox, newest first, as staff read it. */
export type OutboxRow = { eventId: string; stream: string; storedAt: Date }

/** The emails in the local outbox, used if no email service is set. */
export const listOutbox = (sql: Sql, limit: number): Promise<OutboxRow[]> =>
  sql<OutboxRow[]>`
    select event_id as "eventId", stream, updated_at as "storedAt" from deliveries
    where state = 'outbox' order by event_position desc limit ${limit}`
