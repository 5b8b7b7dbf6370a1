import type { FollowUp, FollowUpStatus } from '../../../events/lead/follow-up.ts'
import type { Lead } from '../../../events/lead/wire.ts'
import { changeLead, conflictOf } from './lead.ts'

/** The statuses of a lead that somebody works on, or has worked on and won. */
const WORKED_ON: readonly FollowUpStatus[] = ['contacted', 'quoted', 'won']

const isWorkedOn = (status: Lead['followUpStatus']) => WORKED_ON.some((each) => each === status)

/**
 * A change of one lead by who it is made by: they own a new lead that is nobody's as soon as it is worked on, unless the
 * change says itself whose it is.
 */
export const asTaken = (
  { followUpStatus: before, ownerId }: Pick<Lead, 'followUpStatus' | 'ownerId'>,
  change: FollowUp,
  myId: string | undefined,
): FollowUp => {
  const { followUpStatus: status = before } = change
  const isTaken = before === 'new' && isWorkedOn(status) && ownerId === null && change.ownerId === undefined
  return isTaken && myId !== undefined ? { ...change, ownerId: myId } : change
}

/**
 * Changes a lead as `changeLead` does; `isTaken` says whether it became one's own with it. Of a lead that a colleague has
 * taken meanwhile only what was asked for is changed: it stays theirs.
 */
export const changeAndTake = async (lead: Lead, change: FollowUp, myId: string | undefined) => {
  const { id, version } = lead
  const taken = asTaken(lead, change, myId)
  const isTaken = taken !== change
  try {
    return { ...(await changeLead(id, taken, version)), isTaken }
  } catch (error) {
    if (!isTaken || !conflictOf(error)) throw error
    return { ...(await changeLead(id, change, version)), isTaken: false }
  }
}
