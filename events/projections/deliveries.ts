import type { ForwardStatus } from '../lead.ts'
import type { Sql } from '../log/connection.ts'
import type { Queryable } from '../log/read.ts'

/** How long a worker may hold a delivery before another may take it: well beyond one sending's time-out. */
const CLAIM_SECONDS = 60
const MAX_DUE_ROWS = 500

/** Where a delivery stands; `delivered` and `outbox` are final, `rejected` waits for somebody to send it again. */
export type DeliveryState = NonNullable<ForwardStatus>

/** A delivery that a worker has claimed. `attempt` counts from 1; `previousState` is what it was before this attempt. */
export type ClaimedDelivery = { eventId: string; stream: string; attempt: number; previousState: DeliveryState }

/** How an attempt ended. `retryAfterMs` says when it is due again; `outcome` is the event that the log still has to be told. */
export type AttemptResult = {
  state: DeliveryState
  answer: string
  retryAfterMs: number | undefined
  outcome: { id: string } | null
}

/** Notes that these events have to go out by e-mail. Repeating it changes nothing. */
export const noteDeliveries = async (
  tx: Queryable,
  events: { id: string; position: number; stream: string }[],
): Promise<void> => {
  const rows = events.map(({ id, position, stream }) => ({ event_id: id, event_position: position, stream }))
  if (rows.length > 0) await tx`insert into deliveries ${tx(rows)} on conflict do nothing`
}

/** Takes a delivery for one attempt; undefined where it is done, unknown, or in another worker's hands. */
export const claimDelivery = async (sql: Sql, eventId: string): Promise<ClaimedDelivery | undefined> => {
  const [row] = await sql<ClaimedDelivery[]>`
    update deliveries set attempts = attempts + 1, updated_at = now(),
      claimed_until = now() + ${CLAIM_SECONDS} * interval '1 second'
    where event_id = ${eventId} and state not in ('delivered', 'outbox', 'rejected')
      and (claimed_until is null or claimed_until < now())
    returning event_id as "eventId", stream, attempts as attempt, state as "previousState"`
  return row
}

/** Records how an attempt ended; answers false where the claim had run out and another attempt has begun. */
export const recordAttempt = async (
  sql: Sql,
  { eventId, attempt }: ClaimedDelivery,
  { state, answer, retryAfterMs = 0, outcome }: AttemptResult,
): Promise<boolean> => {
  const recorded = await sql`
    update deliveries set state = ${state}, last_answer = ${answer}, claimed_until = null, updated_at = now(),
      due_at = now() + ${retryAfterMs} * interval '1 millisecond',
      outcome = coalesce(${outcome === null ? null : sql.json(outcome)}, outcome)
    where event_id = ${eventId} and attempts = ${attempt} returning event_id`
  return recorded.length > 0
}

/** Puts a claimed delivery back unsent, as if it had not been claimed, until a time. */
export const postponeDelivery = async (sql: Sql, { eventId, attempt }: ClaimedDelivery, until: Date): Promise<void> => {
  await sql`
    update deliveries set attempts = attempts - 1, claimed_until = null, due_at = ${until}, updated_at = now()
    where event_id = ${eventId} and attempts = ${attempt}`
}

/** Notes that the outcome of a delivery is in the log. */
export const outcomeIsLogged = async (sql: Sql, eventId: string, outcome: { id: string }): Promise<void> => {
  await sql`update deliveries set outcome = null where event_id = ${eventId} and outcome ->> 'id' = ${outcome.id}`
}

/** Outcomes whose worker died before they were in the log. */
export const unloggedOutcomes = (sql: Sql): Promise<{ eventId: string; stream: string; outcome: unknown }[]> =>
  sql<{ eventId: string; stream: string; outcome: unknown }[]>`
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
