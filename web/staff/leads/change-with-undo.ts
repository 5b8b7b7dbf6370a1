import type { FollowUp } from '../../../events/follow-up.ts'
import type { Lead } from '../../../events/wire/lead.ts'
import { toast } from '../../ui/toast/toasts.ts'
import { reasonOf } from '../refusal.ts'
import { changeLeads, undoChanges } from './change-many.ts'
import { counted } from './labels.ts'
import { conflictOf } from './lead.ts'

const undo = async (changes: Parameters<typeof undoChanges>[0], onDone: () => void) => {
  const { stored, errors } = await undoChanges(changes)
  onDone()
  if (errors.length === 0) return toast({ title: `Undone for ${counted(stored.length, 'lead')}`, variant: 'default' })
  toast({
    title: `Not undone for ${counted(errors.length, 'lead')}`,
    description: reasonOf(errors[0]),
    variant: 'destructive',
  })
}

/** Nobody can choose between two versions of many leads. */
const whyUnchanged = (error: unknown) =>
  conflictOf(error) ? 'A colleague has changed it meanwhile, and that was kept.' : reasonOf(error)

/** Makes a change on leads, says what came of it, and offers to take it back; `onDone` is called after each of the two. */
export const changeWithUndo = async (leads: readonly Lead[], what: FollowUp, onDone: () => void) => {
  const { stored, errors } = await changeLeads(leads, what)
  onDone()
  const changes = stored.filter((each) => each !== undefined)
  const action = { label: 'Undo', run: () => undo(changes, onDone) }
  const failed = errors.length > 0
  toast({
    title: failed
      ? `${errors.length} of ${counted(leads.length, 'lead')} not changed`
      : `${counted(leads.length, 'lead')} changed`,
    ...(failed && { description: whyUnchanged(errors[0]) }),
    variant: failed ? 'destructive' : 'default',
    ...(changes.length > 0 && { action }),
  })
}
