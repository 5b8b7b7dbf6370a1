import type { Queryable } from '../log/decode.ts'

const eraseWhere = async (tx: Queryable, condition: ReturnType<Queryable>): Promise<void> => {
  const erased = await tx<{ id: string }[]>`
    update deliveries set is_erased = true, last_answer = null where ${condition} returning event_id as id`
  await tx`update delivery_tries set answer = null where event_id = any(${erased.map(({ id }) => id)}::uuid[])`
}

/**
 * Deletes the responses of the other side from the deliveries of some streams: nothing of an erased person stays. An
 * attempt under way is recorded without a response.
 */
export const eraseDeliveries = (tx: Queryable, streams: string[]): Promise<void> =>
  eraseWhere(tx, tx`stream = any(${streams})`)

/** The same for emails to some accounts of staff: links to choose a password, and alerts, which share a lead's stream. */
export const eraseDeliveriesTo = (tx: Queryable, accountIds: readonly string[]): Promise<void> =>
  eraseWhere(
    tx,
    tx`recipient = 'staff' and exists (
      select from events e where e.id = event_id
        and e.data ->> 'accountId' in (select id::text from staff where id = any(${accountIds}::uuid[])))`,
  )
