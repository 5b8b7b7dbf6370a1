import type { Sql } from '../../stores/connection.ts'
import type { EmailPriority, Recipient } from '../email.ts'
import { isOpen } from './deliveries.ts'

/** How many emails to the agency are queued at a time; more follow as these go out. */
const MAX_READY = 500

/** A delivery that may be sent now, with the data its job needs. */
export type ReadyDelivery = { eventId: string; recipient: Recipient; priority: EmailPriority }

/** The condition for a delivery that may be sent now: it is due, and no worker has claimed it. */
export const isFree = (sql: Sql) => sql`
  ${isOpen(sql)} and due_at <= now() and (claimed_until is null or claimed_until < now())`

/**
 * The deliveries to visitors of some shares that may be sent now: for each as many as may be sent at once, minus those
 * that are being sent.
 */
export const readyInShares = async (sql: Sql, shares: number[], perShare: number): Promise<ReadyDelivery[]> =>
  shares.length === 0
    ? []
    : await sql<ReadyDelivery[]>`
        select r.* from (select distinct unnest(${shares}::smallint[]) as share) s cross join lateral (
          select event_id as "eventId", recipient, priority from deliveries
          where share = s.share and ${isFree(sql)} order by priority, event_position
          limit greatest(0, ${perShare} - (
            select count(*) from deliveries where share = s.share and ${isOpen(sql)} and claimed_until > now()
          ))
        ) r`

/**
 * All due deliveries that no worker has claimed, the most urgent first: their jobs may have been lost with Redis. For
 * one domain only as many as may be sent at once: the others follow as these are sent. With `sinceMs` only those that
 * became due within this time.
 */
export const readyDeliveries = async (
  sql: Sql,
  { perShare, sinceMs }: { perShare: number; sinceMs?: number },
): Promise<ReadyDelivery[]> => {
  const isRecent = sinceMs === undefined ? sql`true` : sql`due_at > now() - ${sinceMs} * interval '1 millisecond'`
  const others = await sql<ReadyDelivery[]>`
    select event_id as "eventId", recipient, priority from deliveries
    where share is null and ${isFree(sql)} and ${isRecent} order by priority, event_position limit ${MAX_READY}`
  const shares = await sql<{ share: number }[]>`
    select distinct share from deliveries where share is not null and ${isFree(sql)} and ${isRecent}`
  const toVisitors = await readyInShares(
    sql,
    shares.map(({ share }) => share),
    perShare,
  )
  return [...others, ...toVisitors]
}

/** The deliveries among these that may be sent now, oldest first. */
export const readyAmong = async (sql: Sql, eventIds: string[]): Promise<ReadyDelivery[]> =>
  eventIds.length === 0
    ? []
    : await sql<ReadyDelivery[]>`
        select event_id as "eventId", recipient, priority from deliveries
        where event_id = any(${eventIds}::uuid[]) and ${isFree(sql)} order by event_position`
