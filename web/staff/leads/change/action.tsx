import type { FollowUp } from '../../../../events/lead/follow-up/follow-up.ts'
import type { Lead } from '../../../../events/lead/wire.ts'
import { Button } from '../../../ui/button.tsx'
import { CheckIcon } from '../../../ui/icons.tsx'
import { leadTitle } from '../list/groups.ts'
import { useLeadChange } from './use-lead-change.ts'

/** The action of a lead in a list that ends its wait, and the text shown afterwards. */
export type ListAction = { label: string; change: FollowUp; done: string }

/** The staff member has replied: the clock stops, and they become the owner, as after an email from here. */
export const ANSWERED: ListAction = {
  label: 'Mark contacted',
  change: { followUpStatus: 'contacted' },
  done: 'marked contacted',
}

/** The action is done, and no other one is planned. */
export const DONE: ListAction = { label: 'Done', change: { nextActionDate: null }, done: 'next action done' }

type Props = { lead: Lead; action: ListAction; onChanged: () => void }

/** Ends a lead's wait with one click; it can be undone. */
export const ListActionButton = ({ lead, action, onChanged }: Props) => {
  const { isBusy, change } = useLeadChange(lead, onChanged)
  return (
    <Button
      look="quiet"
      aria-disabled={isBusy}
      onClick={() => change(action.change, action.done)}
      aria-label={`${action.label}: ${leadTitle(lead)}`}
    >
      <CheckIcon /> {action.label}
    </Button>
  )
}
