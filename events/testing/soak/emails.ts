import type { Sql } from '../../stores/connection.ts'
import type { Submission } from '../email-service.ts'
import type { Logged } from './logged.ts'

type Row = { eventId: string; state: string; attempts: number; lastAnswer: string | null; tries: number }

/** The status of the emails of a load: each is in one of these places. */
export type EmailCount = { asked: number; delivered: number; waiting: number; forStaff: number; sentTwice: number }

/** States in which an email is tried again by itself. */
const WAITING = ['pending', 'retrying', 'needs_activation', 'blocked']

/** How often the service got each form, by its person's name. */
const arrivalsOf = (submissions: Submission[], names: ReadonlySet<string>) => {
  const arrivals = new Map<string, number>()
  for (const { fields } of submissions) {
    const name = fields.map(([, value]) => value).find((value) => names.has(value))
    if (name !== undefined) arrivals.set(name, (arrivals.get(name) ?? 0) + 1)
  }
  return arrivals
}

/**
 * Accounts for each email that the log asks for: delivered and got by the service, waiting to be tried, or left to
 * staff.
 */
export const accountForEmails = async (
  sql: Sql,
  { emails }: Logged,
  submissions: Submission[],
): Promise<{ count: EmailCount; wrong: string[] }> => {
  const rows = await sql<Row[]>`
    select d.event_id as "eventId", d.state, d.attempts, d.last_answer as "lastAnswer",
      (select count(*) from delivery_tries t where t.event_id = d.event_id) as tries
    from deliveries d`
  const byEvent = new Map(rows.map((row) => [row.eventId, row]))
  const arrivals = arrivalsOf(submissions, new Set(emails.values()))
  const count: EmailCount = { asked: emails.size, delivered: 0, waiting: 0, forStaff: 0, sentTwice: 0 }
  const wrong: string[] = []
  for (const [eventId, name] of emails) {
    const row = byEvent.get(eventId)
    const arrived = arrivals.get(name) ?? 0
    if (arrived > 1) count.sentTwice += 1
    if (!row) wrong.push(`nobody has been asked to send the email of ${name}`)
    else if (arrived > row.attempts) wrong.push(`${name} arrived ${arrived} times after ${row.attempts} tries`)
    else if (row.state === 'delivered') {
      count.delivered += 1
      if (arrived === 0) wrong.push(`the email of ${name} counts as delivered and never arrived`)
    } else if (WAITING.includes(row.state)) count.waiting += 1
    else {
      count.forStaff += 1
      if (row.lastAnswer === null || row.tries === 0)
        wrong.push(`the email of ${name} is ${row.state} without a reason`)
    }
  }
  return { count, wrong }
}
