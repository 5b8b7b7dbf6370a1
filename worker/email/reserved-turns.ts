import { MINUTE_MS } from '../../events/base/time.ts'
import { EMAIL_PRIORITIES, type Recipient } from '../../events/email/email.ts'
import { isOpen } from '../../events/email/store/deliveries.ts'
import { isFree, type ReadyDelivery } from '../../events/email/store/ready-deliveries.ts'
import type { Sql } from '../../events/stores/connection.ts'

/** While contracts keep a lane busy, one email in this many is one of the others. */
const SENT_PER_TURN = 4

/** How long an email has to be due before it gets a turn. */
const TURN_AFTER_MS = 30_000

/** The recipients of a lane, its rate per minute, how many at once to one domain, and how often it gets turns. */
type ReservedLane = { recipients: Recipient[]; perMinute: number; perShare: number; everyMs: number }

/** How many turns are due, and how long before now the last of them was. */
const countReserved = async (sql: Sql, { recipients, perMinute, everyMs }: ReservedLane) => {
  const [last] = await sql<{ agoMs: number | null }[]>`
    select extract(epoch from now() - max(turn_at))::float8 * 1000 as "agoMs" from deliveries
    where turn_at is not null and recipient = any(${recipients})`
  const turnMs = (SENT_PER_TURN * MINUTE_MS) / perMinute
  if (last?.agoMs == null) return { turns: Math.max(1, Math.floor(everyMs / turnMs)), agoMs: 0 }
  const passedMs = Math.min(last.agoMs, everyMs + turnMs)
  // the remainder counts for the next round, unless no email waited
  return { turns: Math.floor(passedMs / turnMs), agoMs: passedMs < last.agoMs ? 0 : passedMs % turnMs }
}

/**
 * Contracts go first, and a burst of them would delay everything else for hours: so one email in four is one of the
 * other waiting ones: of each kind and each domain in turn the one that has waited longest. Returns those of a lane
 * that have their turn and have not been tried since.
 */
export const reserveTurns = async (sql: Sql, lane: ReservedLane): Promise<ReadyDelivery[]> => {
  const { recipients, perShare } = lane
  if (recipients.length === 0) return []
  const { turns, agoMs } = await countReserved(sql, lane)
  const waits = sql`
    ${isFree(sql)} and turn_at is null and priority > ${EMAIL_PRIORITIES.contract} and recipient = any(${recipients})
    and due_at < now() - ${TURN_AFTER_MS} * interval '1 millisecond'`
  await sql`
    with waiting as (
      select event_id, priority, share, due_at from deliveries where share is null and ${waits}
      union all
      select event_id, priority, share, due_at from deliveries d where share is not null and ${waits}
        and ${perShare} > (
          select count(*) from deliveries o where o.share = d.share and o.claimed_until > now() and ${isOpen(sql)}
        )
    ), served as (
      select priority, share, max(turn_at) as at from deliveries where turn_at is not null group by priority, share
    ), next as (
      select w.event_id from waiting w
      left join served s on s.priority = w.priority and s.share is not distinct from w.share
      order by row_number() over (partition by w.priority, w.share order by w.due_at), s.at nulls first, w.due_at
      limit ${turns}
    )
    update deliveries d set turn_at = now() - ${agoMs}::float8 * interval '1 millisecond'
    from next where d.event_id = next.event_id`
  return await sql<ReadyDelivery[]>`
    select event_id as "eventId", recipient, ${EMAIL_PRIORITIES.turn}::smallint as priority from deliveries
    where turn_at is not null and recipient = any(${recipients}) and attempts = attempts_before and ${isFree(sql)}
    order by turn_at`
}
