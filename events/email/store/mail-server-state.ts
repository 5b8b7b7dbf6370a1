import type { Sql } from '../../stores/connection.ts'
import { emailTestStreams } from '../email.ts'

/** How many of the newest emails are looked through. */
const LOOKED_AT = 200

/** The results of attempts that did not deliver an email, although they should have. */
const FAILURES = ['busy', 'unknown', 'blocked', 'rejected', 'partial', 'needs_activation']

type Try = { at: Date; answer: string }

type Test = { state: 'waiting' | 'sent' | 'failed'; answer: string }

/** Among the newest emails the last attempt that delivered one, and the last that failed. */
export const readLastTries = async (sql: Sql): Promise<{ sent: Try | undefined; failed: Try | undefined }> => {
  const rows = await sql<(Try & { isSent: boolean })[]>`
    with tries as (
      select t.tried_at as at, coalesce(t.answer, '') as answer, t.kind = 'delivered' as "isSent"
      from (select event_id from deliveries order by event_position desc limit ${LOOKED_AT}) newest
      join delivery_tries t on t.event_id = newest.event_id
      where t.kind = 'delivered' or t.kind = any(${FAILURES})
    )
    select distinct on ("isSent") at, answer, "isSent" from tries order by "isSent", at desc`
  return { sent: rows.find(({ isSent }) => isSent), failed: rows.find(({ isSent }) => !isSent) }
}

/** A test of the mail server and its result; undefined until a worker has come to it, and if there is none. */
export const readTest = async (sql: Sql, id: string): Promise<Test | undefined> => {
  const [row] = await sql<Test[]>`
    select coalesce(last_answer, '') as answer,
      case when state = 'delivered' then 'sent' when state in ('rejected', 'outbox') then 'failed' else 'waiting' end as state
    from deliveries where event_id = ${id} and stream = ${emailTestStreams.of(id)}`
  return row
}
