import type { StreamOf } from '../../base/definition.ts'
import type { Sql } from '../../stores/connection.ts'
import type { EmailEvent } from '../email.ts'
import type { LoggedOutcome } from './deliveries.ts'

/** How long a worker has to append an outcome itself: as long as it may hold a delivery. */
const LEFT_AFTER_SECONDS = 60
const MAX_ROWS = 500

/** Notes that the outcome of a delivery is in the log. */
export const outcomeIsLogged = async (sql: Sql, eventId: string, outcome: { id: string }): Promise<void> => {
  await sql`update deliveries set outcome = null where event_id = ${eventId} and outcome ->> 'id' = ${outcome.id}`
}

/** An outcome that is stored for the log. */
export type LeftOutcome = { eventId: string; stream: StreamOf<EmailEvent>; outcome: LoggedOutcome }

/** Outcomes whose worker died before they were in the log, the longest waiting first. */
export const leftOutcomes = (sql: Sql): Promise<LeftOutcome[]> =>
  sql<LeftOutcome[]>`
    select event_id as "eventId", stream, outcome from deliveries
    where outcome is not null and updated_at < now() - ${LEFT_AFTER_SECONDS} * interval '1 second'
    order by updated_at limit ${MAX_ROWS}`

/** Moves an outcome that could not be appended behind all others, so that it blocks none of them. */
export const putOutcomeBack = async (sql: Sql, eventId: string): Promise<void> => {
  await sql`update deliveries set updated_at = now() where event_id = ${eventId} and outcome is not null`
}
