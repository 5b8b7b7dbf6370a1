import type { StreamOf } from '../definition.ts'
import type { DeliveryState, EmailEvent, EmailOutcome, Recipient } from '../email.ts'
import type { ConsumerKey } from '../log/checkpoints.ts'
import type { Sql } from '../log/connection.ts'
import type { Queryable } from '../log/read.ts'

/** The consumer of the log that notes what has to go out. */
export const DISPATCH: ConsumerKey = { name: 'dispatch', version: 1 }

/** How long a worker may hold a delivery before another may take it: well beyond one sending's time-out. */
const CLAIM_SECONDS = 60
const MAX_DUE_ROWS = 500
/** So many tries of a delivery are kept, the newest. */
const MAX_KEPT_TRIES = 50

/**
 * A delivery that a worker has claimed. `attempt` counts from 1 and never again from the start; `attemptSinceAsked` does
 * so when staff ask for it once more. `isAskedAgain` marks the first attempt after that.
 */
export type ClaimedDelivery = {
  eventId: string
  stream: StreamOf<EmailEvent>
  attempt: number
  attemptSinceAsked: number
  isAskedAgain: boolean
  resendPosition: number
}

/** What the log is told of an attempt, by the id that it has there. */
export type LoggedOutcome = EmailOutcome & { id: string }

/**
 * How an attempt ended. `kind` classes it, `answer` is what the other side said. `retryAfterMs` says when it is due again;
 * `outcome` is the event that the log still has to be told.
 */
export type AttemptResult = {
  state: DeliveryState
  kind: string
  answer: string
  retryAfterMs: number | undefined
  outcome: LoggedOutcome | null
}

/** What has to go out: the event that holds it, and the position, stream and time of the event that asked for it. */
export type AskedDelivery = { id: string; position: number; stream: string; recipient: Recipient; askedAt: Date }

/** Notes what has to go out by e-mail. Repeating it changes nothing. */
export const noteDeliveries = async (tx: Queryable, asked: AskedDelivery[]): Promise<void> => {
  const rows = asked.map(({ id, position, stream, recipient, askedAt }) => ({
    event_id: id,
    event_position: position,
    stream,
    recipient,
    asked_at: askedAt,
  }))
  if (rows.length > 0) await tx`insert into deliveries ${tx(rows)} on conflict do nothing`
}

/**
 * Makes a delivery, whatever came of it, one that is waiting and due now, once for the event at `position` that asks for
 * it. An attempt under way goes on and counts as the first since; what comes of it then stands.
 */
export const resendDelivery = async (
  tx: Queryable,
  { eventId, position, askedAt }: { eventId: string; position: number; askedAt: Date },
): Promise<void> => {
  await tx`
    update deliveries set state = 'pending', due_at = now(), asked_at = ${askedAt}, updated_at = now(),
      resend_position = ${position}, attempts_before = attempts - case when claimed_until > now() then 1 else 0 end
    where event_id = ${eventId} and resend_position < ${position}`
}

/** Takes a delivery for one attempt; undefined where it is done, unknown, or in another worker's hands. */
export const claimDelivery = async (sql: Sql, eventId: string): Promise<ClaimedDelivery | undefined> => {
  const [row] = await sql<ClaimedDelivery[]>`
    with claimed as (
      update deliveries set attempts = attempts + 1, updated_at = now(),
        claimed_until = now() + ${CLAIM_SECONDS} * interval '1 second'
      where event_id = ${eventId} and state not in ('delivered', 'outbox', 'rejected')
        and (claimed_until is null or claimed_until < now())
      returning *
    ), begun as (
      insert into delivery_tries (event_id, attempt) select event_id, attempts from claimed
    ), forgotten as (
      delete from delivery_tries t using claimed c
      where t.event_id = c.event_id and t.attempt <= c.attempts - ${MAX_KEPT_TRIES}
    )
    select event_id as "eventId", stream, attempts as attempt, attempts - attempts_before as "attemptSinceAsked",
      resend_position > 0 and attempts = attempts_before + 1 as "isAskedAgain", resend_position as "resendPosition"
    from claimed`
  return row
}

/**
 * Records how an attempt ended. `isRecorded` is false where the claim had run out and another attempt has begun; `isNews`
 * says whether it changed where the delivery stands, and so whether its outcome is kept for the log. Nothing is kept of
 * what the other side said about a person who has been erased meanwhile.
 */
export const recordAttempt = async (
  sql: Sql,
  { eventId, attempt }: ClaimedDelivery,
  { state, kind, answer, retryAfterMs = 0, outcome }: AttemptResult,
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
      outcome = case when before.state = ${state} then d.outcome
        else coalesce(${outcome === null ? null : sql.json(outcome)}, d.outcome) end
    from before where d.event_id = before.event_id returning before.state <> ${state} as "isNews"`
  return { isRecorded: recorded !== undefined, isNews: recorded?.isNews ?? false }
}

/** Puts a claimed delivery back unsent, as if it had not been claimed, until a time, or asked for again meanwhile. */
export const postponeDelivery = async (
  sql: Sql,
  { eventId, attempt, resendPosition }: ClaimedDelivery,
  until: Date,
): Promise<void> => {
  await sql`
    with postponed as (
      update deliveries set attempts = attempts - 1, claimed_until = null, updated_at = now(),
        due_at = case when resend_position = ${resendPosition} then ${until} else now() end
      where event_id = ${eventId} and attempts = ${attempt} returning event_id
    )
    delete from delivery_tries t using postponed p where t.event_id = p.event_id and t.attempt = ${attempt}`
}

/** Notes that the outcome of a delivery is in the log. */
export const outcomeIsLogged = async (sql: Sql, eventId: string, outcome: { id: string }): Promise<void> => {
  await sql`update deliveries set outcome = null where event_id = ${eventId} and outcome ->> 'id' = ${outcome.id}`
}

type UnloggedOutcome = { eventId: string; stream: StreamOf<EmailEvent>; outcome: LoggedOutcome }

/** Outcomes whose worker died before they were in the log. */
export const unloggedOutcomes = (sql: Sql): Promise<UnloggedOutcome[]> =>
  sql<UnloggedOutcome[]>`
    select event_id as "eventId", stream, outcome from deliveries
    where outcome is not null and updated_at < now() - ${CLAIM_SECONDS} * interval '1 second' limit ${MAX_DUE_ROWS}`

/** Deliveries that are due and in nobody's hands: their jobs may have been lost with Redis. */
export const dueDeliveries = async (sql: Sql): Promise<string[]> => {
  const rows = await sql<{ eventId: string }[]>`
    select event_id as "eventId" from deliveries
    where state not in ('delivered', 'outbox', 'rejected') and due_at <= now()
      and (claimed_until is null or claimed_until < now())
    order by event_position limit ${MAX_DUE_ROWS}`
  return rows.map(({ eventId }) => eventId)
}

/** Where the e-mails of these events stand; `seen` are those that were not sent since their visitor had read them. */
export const deliveryStandings = async (sql: Sql, eventIds: string[]): Promise<Map<string, DeliveryState | 'seen'>> => {
  const rows = await sql<{ id: string; standing: DeliveryState | 'seen' }[]>`
    select d.event_id as id, case when t.kind = 'seen' then 'seen' else d.state end as standing
    from deliveries d left join delivery_tries t on t.event_id = d.event_id and t.attempt = d.attempts
    where d.event_id = any(${eventIds}::uuid[])`
  return new Map(rows.map(({ id, standing }) => [id, standing]))
}

/**
 * Until when nothing is sent because the service waits for the agency to confirm its address: the next try of those
 * that it has refused. Undefined where there is no reason to wait.
 */
export const activationPause = async (sql: Sql): Promise<Date | undefined> => {
  const [row] = await sql<{ until: Date | null }[]>`
    select max(due_at) as until from deliveries where state = 'needs_activation' and due_at > now()`
  return row?.until ?? undefined
}

/** The address has been confirmed: whatever waited for it is due now. */
export const activationIsDone = async (sql: Sql): Promise<void> => {
  await sql`update deliveries set due_at = now() where state in ('pending', 'needs_activation') and due_at > now()`
}

/** One e-mail of the local outbox, newest first, as staff read it. */
export type OutboxRow = { eventId: string; stream: string; keptAt: Date }

/** What lies in the local outbox because no e-mail service is set. */
export const listOutbox = (sql: Sql, limit: number): Promise<OutboxRow[]> =>
  sql<OutboxRow[]>`
    select event_id as "eventId", stream, updated_at as "keptAt" from deliveries
    where state = 'outbox' order by event_position desc limit ${limit}`
