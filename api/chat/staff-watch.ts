import { type KnownAssignments, openKnownAssignments } from './known-assignments.ts'
import { openRecent, type Recent } from './recent.ts'

/** How many sessions are remembered as told to staff, so that a late notification does not tell them again. */
const MAX_REMEMBERED = 10_000

/**
 * What staff on this node have been told: `isOn` while there are any, here or about to be. `begun` and `ended` are the
 * sessions whose beginning, and whose end, they know, so that what comes late does not tell them again; so are
 * `assignments`.
 */
export type StaffWatch = {
  readonly isOn: boolean
  readonly begun: Recent
  readonly ended: Recent
  readonly assignments: KnownAssignments
  /** One more of staff is here or about to be: as long as there are any, they are told of all sessions. */
  join: () => void
  /** One has left. What the last one was told is forgotten. */
  leave: () => void
}

export const openStaffWatch = (): StaffWatch => {
  let watchers = 0
  const [begun, ended] = [openRecent(MAX_REMEMBERED), openRecent(MAX_REMEMBERED)]
  const assignments = openKnownAssignments(MAX_REMEMBERED)
  return {
    get isOn() {
      return watchers > 0
    },
    begun,
    ended,
    assignments,
    join: () => {
      watchers += 1
    },
    leave: () => {
      watchers -= 1
      if (watchers === 0) for (const told of [begun, ended, assignments]) told.clear()
    },
  }
}
