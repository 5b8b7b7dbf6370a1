import type { FollowUp } from '../../../../events/lead/follow-up/follow-up.ts'
import type { Lead } from '../../../../events/lead/wire.ts'
import { Button } from '../../../ui/button.tsx'
import { useLeadChange } from '../change/use-lead-change.ts'
import { leadTitle } from '../list/groups.ts'

/** Spam is not a lead to win: it stays in quarantine, and needs no action. */
export const SPAM: FollowUp = { followUpStatus: 'lost' }

/** Marks a flagged lead as spam, and offers to undo that; `onChanged` is called after the change and after its undo. */
export const SpamButton = (props: { lead: Lead; onChanged: () => void; onMarked?: () => void }) => {
  const { lead, onChanged, onMarked } = props
  const { isBusy, change } = useLeadChange(lead, onChanged)
  const mark = async () => {
    if (await change(SPAM, 'marked as spam')) onMarked?.()
  }
  return (
    <Button look="quiet" aria-disabled={isBusy} onClick={mark} aria-label={`Spam: ${leadTitle(lead)}`}>
      Spam
    </Button>
  )
}
