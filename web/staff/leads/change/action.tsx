import type { MouseEvent } from 'react'
import type { FollowUp } from '../../../../events/lead/follow-up/follow-up.ts'
import type { Lead } from '../../../../events/lead/wire.ts'
import { Button } from '../../../ui/button.tsx'
import { CheckIcon } from '../../../ui/icons.tsx'
import { leadTitle } from '../list/groups.ts'
import { useLeadChange } from './use-lead-change.ts'

/** The action of a lead in a list that ends its wait, and the text shown afterwards. */
export type ListAction = { label: string; change: FollowUp; done: string }

/**
 * The staff member has replied: the clock stops, and they become the owner of the lead, as after an email from here.
 */
export const ANSWERED: ListAction = {
  label: 'Mark contacted',
  change: { followUpStatus: 'contacted' },
  done: 'marked contacted',
}

/** The action is done, and no other one is planned. */
export const DONE: ListAction = { label: 'Done', change: { nextActionDate: null }, done: 'next action done' }

type Props = { lead: Lead; action: ListAction; onChanged: () => void; onEnded?: () => void }

/**
 * Ends a lead's wait with one click; it can be undone. `onEnded` moves the focus elsewhere if the button is about to be
 * removed; it is not called if the focus has moved by itself.
 */
export const ListActionButton = (props: Props) => {
  const { lead, action, onChanged, onEnded } = props
  const { isBusy, change } = useLeadChange(lead, onChanged)
  const end = async ({ currentTarget }: MouseEvent) => {
    const wasChanged = await change(action.change, action.done)
    if (wasChanged && [currentTarget, document.body].includes(document.activeElement ?? document.body)) onEnded?.()
  }
  return (
    <Button look="quiet" aria-disabled={isBusy} onClick={end} aria-label={`${action.label}: ${leadTitle(lead)}`}>
      <CheckIcon /> {action.label}
    </Button>
  )
}
