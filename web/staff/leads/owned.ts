import type { Lead } from '../../../events/wire/lead.ts'
import { toast } from '../../ui/toast/toasts.ts'
import { changeLead } from './lead.ts'
import { takeBack } from './take-back.ts'

/** What is said to staff whose answer made a lead theirs. */
export const OWNED = 'You now own this lead'

/** Says that an answer made a lead one's own, and offers to leave it unassigned; `onLeft` is called after that. */
export const tellOwned = (lead: Lead, { description, onLeft }: { description: string; onLeft: () => void }) => {
  const undo = async () => {
    await takeBack(() => changeLead(lead.id, { ownerId: null }, lead.version))
    onLeft()
  }
  toast({ title: OWNED, description, variant: 'default', action: { label: 'Undo', run: undo } })
}
