import type { FollowUp } from '../../../events/follow-up.ts'
import type { Lead } from '../../../events/wire/lead.ts'
import { toast } from '../../ui/toast/toasts.ts'
import { reasonOf } from '../refusal.ts'
import { changeLeads, undoChanges } from './change-many.ts'
import { counted } from './labels.ts'
import { conflictOf } from './lead.ts'
import { leadTitle } from './list.ts'

const undo = async (
  changes: Parameters<typeof undoChanges>[0],
  { named, onDone }: { named: string | undefined; onDone: () => void },
) => {
  const { stored, errors } = await undoChanges(changes)
  onDone()
  if (errors.length === 0)
    return toast({ title: `Undone for ${named ?? counted(stored.length, 'lead')}`, variant: 'default' })
  toast({
    title: `Not undone for ${named ?? counted(errors.length, 'lead')}`,
    description: reasonOf(errors[0]),
    variant: 'destructive',
  })
}

/** Nobody can choose between two versions of many leads. */
const whyUnchanged = (error: unknown) =>
  conflictOf(error) ? 'A colleague has changed it meanwhile, and that was kept.' : reasonOf(error)

/** Makes a change on leads, says what came of it, with the name of a lead that is alone, and offers to take it back; `onDone` is called after each of the two. */
export const changeWithUndo = async (leads: readonly Lead[], change: FollowUp, onDone: () => void) => {
  const { stored, errors } = await changeLeads(leads, change)
  const [lead, ...others] = leads
  const named = lead && others.length === 0 ? leadTitle(lead) : undefined
  onDone()
  const changes = stored.filter((each) => each !== undefined)
  const action = { label: 'Undo', run: () => undo(changes, { named, onDone }) }
  const failed = errors.length > 0
  const which = failed ? `${errors.length} of ${counted(leads.length, 'lead')}` : counted(leads.length, 'lead')
  toast({
    title: named ? `${failed ? 'Not changed' : 'Changed'}: ${named}` : `${which} ${failed ? 'not changed' : 'changed'}`,
    ...(failed && { description: whyUnchanged(errors[0]) }),
    variant: failed ? 'destructive' : 'default',
    ...(changes.length > 0 && { action }),
  })
}
