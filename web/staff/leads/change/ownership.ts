import type { Lead } from '../../../../events/lead/wire.ts'
import { toast } from '../../../ui/toast/toasts.ts'
import { changeLead } from '../lead.ts'
import { aboutLead } from '../list/groups.ts'
import { undoAction, undoWithToast } from './undo-with-toast.ts'

/** Shown to staff whose reply or change made them the owner of a lead. */
const OWNED = 'It is now assigned to you.'

/** The toast's description of a change that made the staff member the lead's owner. */
export const ownershipNote = (becomesOwner: boolean) => (becomesOwner ? { description: OWNED } : {})

/** Shows that a reply made the staff member the lead's owner; offers to undo that, and calls `onLeft` then. */
export const showOwnership = (lead: Lead, { title, onLeft }: { title: string; onLeft: () => void }) => {
  const undo = async () => {
    await undoWithToast(() => changeLead(lead.id, { ownerId: null }, lead.version))
    onLeft()
  }
  const action = { label: 'Leave unassigned', run: undo }
  toast({ title, about: aboutLead(lead), description: OWNED, action })
}

type Answered = {
  before: Pick<Lead, 'id' | 'ownerId'>
  answered: Lead
  eventId: string | null
  myId: string | undefined
}

/**
 * Shows a reply, and the new ownership if it made the staff member the lead's owner, and offers to undo it: `left` is
 * the part that remains then, and `onUndone` is called after that.
 */
export const showAnswered = (
  { before, answered, eventId, myId }: Answered,
  toastOptions: {
    title: string
    description?: string | undefined
    /** The address that the toast leads to, if not to the lead. */
    address?: string | undefined
    left?: string | undefined
    onUndone: () => void
  },
) => {
  const { title, description, address, left, onUndone } = toastOptions
  const isOwned = before.ownerId === null && answered.ownerId !== null && answered.ownerId === myId
  const words = [isOwned && OWNED, description].filter(Boolean).join(' ')
  toast({
    title,
    about: { ...aboutLead(answered), ...(address && { address }) },
    ...(words && { description: words }),
    ...undoAction({ leadId: before.id, eventId, onUndone, left }),
  })
}
