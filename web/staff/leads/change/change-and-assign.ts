import type { FollowUp, FollowUpStatus } from '../../../../events/lead/follow-up/follow-up.ts'
import type { Lead } from '../../../../events/lead/wire.ts'
import { changeLead, conflictOf } from '../lead.ts'

/** The statuses of a lead that staff work on, or have worked on and won. */
const WORKED_ON: readonly FollowUpStatus[] = ['contacted', 'quoted', 'won']

const isWorkedOn = (status: Lead['followUpStatus']) => WORKED_ON.some((each) => each === status)

/**
 * A change of one lead together with its ownership: the staff member becomes the owner of a new, unassigned lead as
 * soon as it is worked on, unless the change itself sets the owner.
 */
export const withOwner = (
  { followUpStatus: before, ownerId }: Pick<Lead, 'followUpStatus' | 'ownerId'>,
  change: FollowUp,
  myId: string | undefined,
): FollowUp => {
  const { followUpStatus: status = before } = change
  const becomesOwner = before === 'new' && isWorkedOn(status) && ownerId === null && change.ownerId === undefined
  return becomesOwner && myId !== undefined ? { ...change, ownerId: myId } : change
}

/**
 * Changes a lead as `changeLead` does; `becomesOwner` says whether that made it one's own. If a colleague has taken the lead
 * during that time, only the requested change is made: it stays theirs.
 */
export const changeAndAssign = async (lead: Lead, change: FollowUp, myId: string | undefined) => {
  const { id, version } = lead
  const owned = withOwner(lead, change, myId)
  const becomesOwner = owned !== change
  try {
    return { ...(await changeLead(id, owned, version)), becomesOwner }
  } catch (error) {
    if (!becomesOwner || !conflictOf(error)) throw error
    return { ...(await changeLead(id, change, version)), becomesOwner: false }
  }
}
