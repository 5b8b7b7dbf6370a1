import type { Lead } from '../../../../events/lead/wire.ts'
import { Button } from '../../../ui/button.tsx'
import { flagWithUndo } from '../change/change-with-undo.ts'
import { useOnePress } from '../change/use-lead-change.ts'
import { leadTitle } from '../list/groups.ts'

/**
 * Moves a lead that is spam into quarantine, and offers to undo that; `onChanged` is called after the change and after
 * its undo. `onFlagged` moves the focus elsewhere, because the button is removed. A won lead is not spam.
 */
export const FlagButton = (props: { lead: Lead; onChanged: () => void; onFlagged: () => void }) => {
  const { lead, onChanged, onFlagged } = props
  const { isBusy, press } = useOnePress(lead)
  if (lead.suspicion || lead.followUpStatus === 'won') return null
  const flag = async (button: Element) => {
    const wasFlagged = await flagWithUndo([lead], onChanged)
    if (wasFlagged && [button, document.body].includes(document.activeElement ?? document.body)) onFlagged()
    return wasFlagged
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
