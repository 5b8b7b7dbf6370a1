import type { Lead } from '../../../../events/lead/wire.ts'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast/toasts.ts'
import { toastFailure } from '../../requests/refusal.ts'
import { undoWithToast } from '../change/undo-with-toast.ts'
import { useOnePress } from '../change/use-lead-change.ts'
import { flagLead, undoChange } from '../lead.ts'
import { aboutLead, leadTitle } from '../list/groups.ts'

/**
 * Moves a lead that is spam into quarantine, and offers to undo that; `onChanged` is called after the change and after
 * its undo. `onFlagged` moves the focus elsewhere, because the button is removed. A won lead is not spam.
 */
export const FlagButton = (props: { lead: Lead; onChanged: () => void; onFlagged: () => void }) => {
  const { lead, onChanged, onFlagged } = props
  const { isBusy, press } = useOnePress(lead)
  if (lead.suspicion || lead.followUpStatus === 'won') return null
  const flag = async (button: Element) => {
    try {
      const { eventId } = await flagLead(lead.id)
      const undo = () => undoWithToast(() => undoChange(lead.id, eventId ?? '')).then(onChanged)
      toast({
        title: 'Marked as spam',
        about: aboutLead(lead),
        variant: 'default',
        ...(eventId && { action: { label: 'Undo', run: undo } }),
      })
      if ([button, document.body].includes(document.activeElement ?? document.body)) onFlagged()
      onChanged()
      return true
    } catch (error) {
      toastFailure('Not marked as spam', error)
      return false
    }
  }
  return (
    <Button
      look="quiet"
      aria-disabled={isBusy}
      onClick={({ currentTarget }) => press(() => flag(currentTarget))}
      aria-label={`Spam: ${leadTitle(lead)}`}
    >
      Spam
    </Button>
  )
}
