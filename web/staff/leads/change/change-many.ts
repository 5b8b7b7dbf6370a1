import type { FollowUp } from '../../../../events/lead/follow-up/follow-up.ts'
import type { Lead } from '../../../../events/lead/wire.ts'
import { flagLead, undoChange } from '../lead.ts'
import { changeAndAssign } from './change-and-assign.ts'

/** The maximum number of requests under way: requests of other staff continue during that time. */
const AT_ONCE = 4

/** A change that was stored, with the event to undo; `becomesOwner` if it made the lead one's own. */
type Change = { id: string; eventId: string; becomesOwner: boolean }

/** The result of many requests: the stored changes, and the errors of the others. */
type Outcome<Stored> = { stored: Stored[]; errors: unknown[] }

const each = async <Item, Stored>(items: readonly Item[], act: (item: Item) => Promise<Stored>) => {
  const outcome: Outcome<Stored> = { stored: [], errors: [] }
  const left = [...items]
  const work = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) {
      await act(item).then(
        (stored) => outcome.stored.push(stored),
        (error: unknown) => outcome.errors.push(error),
      )
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return outcome
}

/**
 * Makes the same change on leads, each as it is shown: one that a colleague has changed during that time is left as it
 * is. A single lead is taken as `changeAndAssign` does; several stay unassigned.
 */
export const changeLeads = (leads: readonly Lead[], change: FollowUp, myId: string | undefined) =>
  each(leads, async (lead): Promise<Change | undefined> => {
    const { eventId, becomesOwner } = await changeAndAssign(lead, change, leads.length === 1 ? myId : undefined)
    return eventId === null ? undefined : { id: lead.id, eventId, becomesOwner }
  })

/** Moves leads that are spam into quarantine; a won lead is not spam. */
export const flagLeads = (leads: readonly Lead[]) =>
  each(leads, async ({ id }): Promise<Change | undefined> => {
    const { eventId } = await flagLead(id)
    return eventId === null ? undefined : { id, eventId, becomesOwner: false }
  })

/** Undoes changes, each unless the same field was changed since then. */
export const undoChanges = (changes: readonly Change[]) => each(changes, ({ id, eventId }) => undoChange(id, eventId))
