import type { MouseEvent } from 'react'
import type { FollowUp } from '../../../events/lead/follow-up.ts'
import type { Lead } from '../../../events/lead/wire.ts'
import { Button } from '../../ui/button.tsx'
import { leadTitle } from './list.ts'
import { useLeadChange } from './use-lead-change.ts'

/** What is done with a lead of a list when that is over, and how that is said then. */
export type Ending = { label: string; change: FollowUp; done: string }

/** Somebody has answered: the clock stops, and who says so takes care of the lead, as after an email from here. */
export const ANSWERED: Ending = {
  label: 'Mark contacted',
  change: { followUpStatus: 'contacted' },
  done: 'marked contacted',
}

/** The action is done, and no other one is planned. */
export const DONE: Ending = { label: 'Done', change: { nextActionDate: null }, done: 'next action done' }

type Props = { lead: Lead; ending: Ending; onChanged: () => void; onEnded?: () => void }

/**
 * Ends with one click what a lead waits for; it can be undone. `onEnded` puts the focus elsewhere where the button is about
 * to go; it is not called where the focus has moved on by itself.
 */
export const EndingButton = (props: Props) => {
  const { lead, ending, onChanged, onEnded } = props
  const { isBusy, change } = useLeadChange(lead, onChanged)
  const end = async ({ currentTarget }: MouseEvent) => {
    const wasChanged = await change(ending.change, ending.done)
    if (wasChanged && [currentTarget, document.body].includes(document.activeElement ?? document.body)) onEnded?.()
  }
  return (
    <Button look="quiet" aria-disabled={isBusy} onClick={end} aria-label={`${ending.label}: ${leadTitle(lead)}`}>
      {ending.label}
    </Button>
  )
}
