import type { Lead } from '../../../../events/lead/wire.ts'
import { Button } from '../../../ui/button.tsx'
import { useMe } from '../../account/account.ts'
import { leadTitle } from '../list/groups.ts'
import { useLeadChange } from './use-lead-change.ts'

/** The result, in the words of `changeWithUndo`. */
export const ASSIGNED = 'assigned to you'

/** Takes an unassigned lead. Renders nothing if the lead has an owner. */
export const AssignToMe = ({ lead, onChanged }: { lead: Lead; onChanged: () => void }) => {
  const { data: me } = useMe()
  const { isBusy, change } = useLeadChange(lead, onChanged)
  if (lead.ownerId || !me) return null
  return (
    <Button
      look="quiet"
      aria-disabled={isBusy}
      aria-label={`Assign to me: ${leadTitle(lead)}`}
      onClick={() => change({ ownerId: me.id }, ASSIGNED)}
    >
      Assign to me
    </Button>
  )
}
