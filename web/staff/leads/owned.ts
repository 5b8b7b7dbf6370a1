import type { Lead } from '../../../events/wire/lead.ts'
import { toast } from '../../ui/toast/toasts.ts'
import { changeLead, undoChange } from './lead.ts'
import { aboutLead } from './list.ts'
import { takeBack } from './take-back.ts'

/** What is said to staff whose answer, or whose change, made a lead theirs. */
const OWNED = 'You now own this lead.'

/** What a notice of a change says besides where that made the lead one's own. */
export const ownedNote = (isTaken: boolean) => (isTaken ? { description: OWNED } : {})

/** Says what an answer was, and that it made a lead one's own; offers to leave that unassigned, and calls `onLeft` then. */
export const tellOwned = (lead: Lead, { title, onLeft }: { title: string; onLeft: () => void }) => {
  const undo = async () => {
    await takeBack(() => changeLead(lead.id, { ownerId: null }, lead.version))
    onLeft()
  }
  const action = { label: 'Leave unassigned', run: undo }
  toast({ title, about: aboutLead(lead), description: OWNED, variant: 'default', action })
}

type Answered = {
  before: Pick<Lead, 'id' | 'ownerId'>
  answered: Lead
  eventId: string | null
  myId: string | undefined
}

/**
 * Says what an answer was, and that it made the lead one's own where it did, and offers to take it back: `left` is what
 * stays then, and `onUndone` is called after that.
 */
export const tellAnswered = (
  { before, answered, eventId, myId }: Answered,
  notice: {
    title: string
    description?: string | undefined
    /** Where the notice leads, if not to the lead. */
    address?: string | undefined
    left?: string | undefined
    onUndone: () => void
  },
) => {
  const { title, description, address, left, onUndone } = notice
  const isOwned = before.ownerId === null && answered.ownerId !== null && answered.ownerId === myId
  const words = [isOwned && OWNED, description].filter(Boolean).join(' ')
  const undo = async (changeId: string) => {
    await takeBack(() => undoChange(before.id, changeId), left)
    onUndone()
  }
  toast({
    title,
    about: { ...aboutLead(answered), ...(address && { address }) },
    ...(words && { description: words }),
    variant: 'default',
    ...(eventId && { action: { label: 'Undo', run: () => undo(eventId) } }),
  })
}
