import type { Queryable } from '../../log/read.ts'
import { chatActivityStreams, NO_RECEIPTS, type Receipt, type Receipts } from '../activity.ts'
import { messageStreams } from '../chat.ts'
import type { Party } from '../parties.ts'

/**
 * Stores how far a party has got: never lower, never beyond the chat's last message, and nothing for an erased chat.
 * Returns the new receipt, or undefined if nothing changed. It is a single statement, so that of several nodes with the
 * same report only one returns it as news.
 */
export const noteReceipt = async (
  sql: Queryable,
  sessionId: string,
  party: Party,
  { delivered, seen }: Receipt,
): Promise<Receipt | undefined> => {
  const [stored] = await sql<Receipt[]>`
    insert into chat_receipts as known (session_id, party, delivered, seen)
    select ${sessionId}::uuid, ${party}::text,
      least(greatest(${delivered}::bigint, ${seen}::bigint), last.version), least(${seen}::bigint, last.version)
    from (select coalesce(max(version), 0) as version from events where stream = ${messageStreams.of(sessionId)}) last
    where least(greatest(${delivered}::bigint, ${seen}::bigint), last.version) > 0
      and not exists (select from events where stream = ${chatActivityStreams.of(sessionId)} and type = 'ChatErased')
    on conflict (session_id, party) do update set
      delivered = greatest(known.delivered, excluded.delivered),
      seen = greatest(known.seen, excluded.seen),
      noted_on = excluded.noted_on
    where excluded.delivered > known.delivered or excluded.seen > known.seen
    returning delivered, seen`
  return stored && { delivered: stored.delivered, seen: stored.seen }
}

/** How far both parties of a chat have got, as an expression of a larger query: see `receiptsFrom`. */
export const receiptsOf = (sql: Queryable, sessionId: string) => sql`(
  select jsonb_object_agg(party, jsonb_build_object('delivered', delivered, 'seen', seen)) from chat_receipts
  where session_id = ${sessionId})`

/** The receipts that `receiptsOf` has read. */
export const receiptsFrom = (stored: Partial<Receipts> | null): Receipts => ({ ...NO_RECEIPTS, ...stored })

/** How far both parties of some chats have got, by session id. */
export const readReceipts = async (sql: Queryable, sessionIds: string[]): Promise<Map<string, Receipts>> => {
  const receipts = new Map(sessionIds.map((id) => [id, NO_RECEIPTS]))
  const rows = await sql<({ sessionId: string; party: Party } & Receipt)[]>`
    select session_id as "sessionId", party, delivered, seen from chat_receipts
    where session_id = any(${sessionIds}::uuid[])`
  for (const { sessionId, party, delivered, seen } of rows) {
    receipts.set(sessionId, { ...(receipts.get(sessionId) ?? NO_RECEIPTS), [party]: { delivered, seen } })
  }
  return receipts
}

/** How far both parties of a chat have got. */
export const readReceiptsOf = async (sql: Queryable, sessionId: string): Promise<Receipts> =>
  (await readReceipts(sql, [sessionId])).get(sessionId) ?? NO_RECEIPTS
