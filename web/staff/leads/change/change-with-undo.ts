import type { FollowUp } from '../../../../events/lead/follow-up/follow-up.ts'
import type { Lead } from '../../../../events/lead/wire.ts'
import { type Toast, toast } from '../../../ui/toast/toasts.ts'
import { reasonOf, toastFailure } from '../../requests/refusal.ts'
import { conflictOf } from '../lead.ts'
import { aboutLead } from '../list/groups.ts'
import { counted } from '../shown/labels.ts'
import { changeLeads, flagLeads, undoChanges } from './change-many.ts'
import { ownershipNote } from './ownership.ts'

const undo = async (
  changes: Parameters<typeof undoChanges>[0],
  { about, onDone }: { about: Toast['about']; onDone: () => void },
) => {
  const { stored, errors } = await undoChanges(changes)
  onDone()
  if (errors.length === 0) {
    const title = about ? 'Undone' : `Undone for ${counted(stored.length, 'lead')}`
    return toast({ title, ...(about && { about }) })
  }
  toastFailure(about ? 'Not undone' : `Not undone for ${counted(errors.length, 'lead')}`, errors[0], about)
}

/** Staff cannot choose between two versions of many leads. */
const conflictText = (error: unknown) =>
  conflictOf(error) ? 'A colleague has changed it since; their version was kept.' : reasonOf(error)

/**
 * Shows the result of a change of leads, with a link if it is a single lead, and offers to undo it. `done` describes
 * the change in words that fit after "2 leads": `set to Contacted`. `onDone` is called after the change and after its
 * undo. Returns whether any lead was changed.
 */
const showChanged = (
  leads: readonly Lead[],
  { stored, errors }: Awaited<ReturnType<typeof changeLeads>>,
  { done, onDone }: { done: string; onDone: () => void },
): boolean => {
  const [lead, ...others] = leads
  const about = lead && others.length === 0 ? aboutLead(lead) : undefined
  onDone()
  const changes = stored.filter((each) => each !== undefined)
  const action = { label: 'Undo', run: () => undo(changes, { about, onDone }) }
  const failed = errors.length > 0
  const which = failed ? `${errors.length} of ${counted(leads.length, 'lead')}` : counted(leads.length, 'lead')
  toast({
    ...(about
      ? { title: failed ? 'Not changed' : `${done.charAt(0).toUpperCase()}${done.slice(1)}`, about }
      : { title: `${which} ${failed ? 'not changed' : done}` }),
    ...ownershipNote(changes.some(({ becomesOwner }) => becomesOwner)),
    ...(failed && { description: conflictText(errors[0]), variant: 'destructive' }),
    ...(changes.length > 0 && { action }),
  })
  return changes.length > 0
}

/**
 * Makes a change on leads, and shows the result as `showChanged`. A single unassigned lead may be assigned to `myId`
 * (`changeAndAssign`).
 */
export const changeWithUndo = async (
  leads: readonly Lead[],
  change: FollowUp,
  { done, onDone, myId }: { done: string; onDone: () => void; myId?: string | undefined },
): Promise<boolean> => showChanged(leads, await changeLeads(leads, change, myId), { done, onDone })

/** Moves leads that are spam into quarantine, and shows the result as `showChanged`. */
export const flagWithUndo = async (leads: readonly Lead[], onDone: () => void): Promise<boolean> =>
  showChanged(leads, await flagLeads(leads), { done: 'marked as spam', onDone })
