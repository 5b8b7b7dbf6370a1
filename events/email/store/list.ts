import type { PendingQuery, Row } from 'postgres'
import type { StreamOf } from '../../base/definition.ts'
import { DISPATCH } from '../../consumers/acting-consumers.ts'
import { leadCopyStreams } from '../../lead/email/copy.ts'
import { CONTRACT_PREFIX, CONTRACT_SOURCES } from '../../lead/form/kind.ts'
import { leadStreams } from '../../lead/lead.ts'
import { leadsProjection } from '../../lead/store/view.ts'
import { readPosition } from '../../log/checkpoints.ts'
import { readTail } from '../../log/read.ts'
import { schemaOf } from '../../projections/projection.ts'
import type { Sql } from '../../stores/connection.ts'
import type { DeliveryState, EmailEvent, Recipient } from '../email.ts'
import type { CountedFilter, EmailFilter, EmailTry } from '../wire.ts'
import type { InboxStates } from './deliveries.ts'

/** After so long without having gone out, an email that waits counts as stuck. */
const STUCK_AFTER_MINUTES = 15

/** No state is counted further: the number of sent emails only grows, and is counted every 30 s for each viewer. */
export const MAX_COUNTED = 1_000

/** The most waiting contracts, newest first, whose emails are examined. */
const MAX_CONTRACTS = 1_000

/** A piece of SQL, with its values. */
type Piece = PendingQuery<Row[]>

/** A delivery as staff see it. `askedAt` is when it was asked for last, `tries` are the newest, newest first. */
export type EmailRow = {
  eventId: string
  position: number
  stream: string
  recipient: Recipient
  state: DeliveryState
  attempts: number
  tries: EmailTry[]
  isUnderWay: boolean
  isStuck: boolean
  isContract: boolean
  inboxStates: InboxStates
  dueAt: Date
  askedAt: Date
  createdAt: Date
}

/**
 * The condition for an email that needs staff. A visitor's address that rejects email does not: staff cannot repair it.
 * An erased email can no longer be sent. The first line is the condition of the index deliveries_open, word for word.
 */
const isStuck = (sql: Sql) => sql`
  d.state not in ('delivered', 'outbox') and (d.state not in ('rejected', 'expired') or d.recipient = 'agency')
  and (d.state not in ('pending', 'retrying') or d.asked_at < now() - ${STUCK_AFTER_MINUTES} * interval '1 minute')
  and not d.is_erased`

/** Whether a submission is a contract; its first version has only the source as text (`leadSubmitted`). */
const isSigned = (sql: Sql, data: Piece) => sql`
  (${data} ->> 'isContract' = 'true' or starts_with(${data} ->> 'leadSource', ${CONTRACT_PREFIX}))`

/** Whether it holds a signed contract, or the customer's copy of one. */
const isContract = (sql: Sql) => sql`coalesce(
  case e.type
    when 'LeadSubmitted' then ${isSigned(sql, sql`e.data`)}
    when 'LeadCopyRequested' then (
      select ${isSigned(sql, sql`s.data`)} from events s
      where s.stream = ${leadStreams.prefix} || (e.data ->> 'leadId') and s.version = 1 and s.type = 'LeadSubmitted'
    )
  end, false)`

/**
 * The unsent emails of contracts without a reply, although nothing is stuck: there is no service, or the customer's
 * address rejects them. Once staff work on the contract they need no notice of it.
 */
const unsentContracts = (sql: Sql) => sql`
  select d.event_id from (
    select id from ${sql(schemaOf(leadsProjection))}.entries
    where not is_suspect and status = 'new' and is_waiting and source = any(${CONTRACT_SOURCES as string[]})
    order by submitted_at desc, id desc limit ${MAX_CONTRACTS}
  ) contract
  cross join unnest(array[${leadStreams.prefix}, ${leadCopyStreams.prefix}]::text[]) as of(prefix)
  join deliveries d on d.stream = of.prefix || contract.id::text
  where d.state in ('outbox', 'rejected', 'expired') and not d.is_erased`

/** The stuck emails, the newest MAX_COUNTED of them, and the contracts that were not sent. */
const needingAttention = (sql: Sql) => sql`
  (select d.event_id from deliveries d where ${isStuck(sql)} order by d.event_position desc limit ${MAX_COUNTED})
  union (${unsentContracts(sql)})`

const isWanted = (sql: Sql, filter: EmailFilter | undefined) => {
  switch (filter) {
    case undefined:
      return sql`true`
    case 'waiting':
      return sql`d.state in ('pending', 'retrying')`
    case 'stuck':
      return isStuck(sql)
    case 'attention':
      return sql`d.event_id = any(array(${needingAttention(sql)}))`
    case 'outbox':
      return sql`d.state = 'outbox' and not d.is_erased`
    default:
      return sql`d.state = ${filter}`
  }
}

/** The emails that staff have asked for again and the dispatcher has not come to yet. */
const resentEmails = async (sql: Sql): Promise<Set<string>> => {
  const events = await readTail(sql, await readPosition(sql, DISPATCH), ['EmailResendRequested'])
  return new Set(events.map(({ data }) => data.emailId))
}

/**
 * The emails of a filter, newest first, or `contractsFirst`, those before a position of the log. An email that was just
 * requested again counts as waiting.
 */
export const listEmails = async (
  sql: Sql,
  {
    filter,
    before,
    limit,
    contractsFirst = false,
  }: {
    filter?: EmailFilter | undefined
    before?: number | undefined
    limit: number
    contractsFirst?: boolean
  },
): Promise<EmailRow[]> => {
  const again = await resentEmails(sql)
  const rows = await sql<EmailRow[]>`
    select d.event_id as "eventId", d.event_position as position, d.stream, d.recipient, d.state, d.attempts,
      d.inbox_states as "inboxStates",
      coalesce(d.claimed_until > now(), false) as "isUnderWay", (${isStuck(sql)}) as "isStuck",
      ${isContract(sql)} as "isContract",
      d.due_at as "dueAt", d.asked_at as "askedAt", a.recorded_at as "createdAt",
      coalesce((
        select json_agg(json_build_object(
          'at', to_char(t.tried_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'kind', coalesce(t.kind, case when t.attempt = d.attempts and d.claimed_until > now() then 'under_way' else 'cut_off' end),
          'answer', coalesce(t.answer, '')
        ) order by t.attempt desc)
        from delivery_tries t where t.event_id = d.event_id
      ), '[]') as tries
    from deliveries d join events e on e.id = d.event_id join events a on a.position = d.event_position
    where ${isWanted(sql, filter)} ${before === undefined ? sql`` : sql`and d.event_position < ${before}`}
    order by ${contractsFirst ? sql`"isContract" desc, ` : sql``}d.event_position desc limit ${limit}`
  return rows.map((row) => (again.has(row.eventId) ? { ...row, state: 'pending', isStuck: false } : row))
}

type FoundDelivery = { stream: StreamOf<EmailEvent>; resendPosition: number; attemptsBefore: number }

/**
 * A delivery's stream, the position of the event that asked for it again last (0 for none), and the attempts made before
 * that or under way; undefined if nothing of this event goes out, or it was erased.
 */
export const findDelivery = async (sql: Sql, eventId: string): Promise<FoundDelivery | undefined> => {
  const [row] = await sql<FoundDelivery[]>`
    select d.stream, d.resend_position as "resendPosition",
      d.attempts_before + case when d.claimed_until > now() then 1 else 0 end as "attemptsBefore"
    from deliveries d join events e on e.id = d.event_id
    where d.event_id = ${eventId} and not d.is_erased`
  return row
}

/** How many there are in a state, read from its index alone. */
const counted = (sql: Sql, state: DeliveryState) => sql`(
  select count(*) from (
    select from deliveries where state = ${state} order by event_position desc limit ${MAX_COUNTED}
  ) found
)`

/** How many of a kind there are for which their events have to be looked at. */
const countedWanted = (sql: Sql, filter: EmailFilter) => sql`(
  select count(*) from (
    select from deliveries d join events e on e.id = d.event_id where ${isWanted(sql, filter)} limit ${MAX_COUNTED}
  ) found
)`

/**
 * How many emails there are of each kind, counted up to MAX_COUNTED of a state; `stuck` ones are counted by their state
 * as well.
 */
export const countEmails = async (sql: Sql): Promise<Record<CountedFilter, number>> => {
  const [counts] = await sql<[Record<CountedFilter, number>]>`
    select ${counted(sql, 'pending')} + ${counted(sql, 'retrying')} as waiting,
      ${countedWanted(sql, 'stuck')} as stuck,
      ${counted(sql, 'delivered')} as delivered, ${counted(sql, 'needs_activation')} as needs_activation,
      ${counted(sql, 'blocked')} as blocked, ${counted(sql, 'rejected')} as rejected,
      ${counted(sql, 'expired')} as expired, ${counted(sql, 'uncertain')} as uncertain,
      ${counted(sql, 'partial')} as partial,
      ${countedWanted(sql, 'outbox')} as outbox`
  return counts
}

/** How many emails need attention, of stuck ones counted up to MAX_COUNTED. */
export const countAttention = async (sql: Sql): Promise<number> => {
  const [row] = await sql<{ count: number }[]>`select count(*)::integer as count from (${needingAttention(sql)}) found`
  return row?.count ?? 0
}
