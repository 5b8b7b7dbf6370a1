import type { FollowUp } from '../../../events/lead/follow-up.ts'
import type { Lead } from '../../../events/lead/wire.ts'
import { flagLead, undoChange } from './lead.ts'
import { changeAndTake } from './taking.ts'

/** How many requests are under way at once: the others of the staff go on meanwhile. */
const AT_ONCE = 4

/** A change that was stored, to be taken back by; `isTaken` where the lead became one's own with it. */
type Change = { id: string; eventId: string; isTaken: boolean }

/** What came of many requests: what was stored, and why the others were not. */
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
 * Makes the same change on leads, each as it is shown: one that a colleague has changed meanwhile is left as it is. A lead
 * that is alone is taken as `changeAndTake` does it; many are nobody's still.
 */
export const changeLeads = (leads: readonly Lead[], change: FollowUp, myId: string | undefined) =>
  each(leads, async (lead): Promise<Change | undefined> => {
    const { eventId, isTaken } = await changeAndTake(lead, change, leads.length === 1 ? myId : undefined)
    return eventId === null ? undefined : { id: lead.id, eventId, isTaken }
  })

/** Moves leads that are spam into quarantine; one that is won is none. */
export const flagLeads = (leads: readonly Lead[]) =>
  each(leads, async ({ id }): Promise<Change | undefined> => {
    const { eventId } = await flagLead(id)
    return eventId === null ? undefined : { id, eventId, isTaken: false }
  })

/** Takes changes back, each unless the same was changed since. */
export const undoChanges = (changes: readonly Change[]) => each(changes, ({ id, eventId }) => undoChange(id, eventId))
