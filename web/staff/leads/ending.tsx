import { type MouseEvent, useState } from 'react'
import type { FollowUp } from '../../../events/follow-up.ts'
import type { Lead } from '../../../events/wire/lead.ts'
import { Button } from '../../ui/button.tsx'
import { changeWithUndo } from './change-with-undo.ts'
import { leadTitle } from './list.ts'

/** What is done with a lead of a list when that is over, and how that is said then. */
export type Ending = { label: string; change: FollowUp; done: string }

/** Somebody has answered: the clock stops. */
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
  const [isBusy, setBusy] = useState(false)
  const end = async ({ currentTarget }: MouseEvent) => {
    if (isBusy) return
    setBusy(true)
    const wasChanged = await changeWithUndo([lead], ending.change, { done: ending.done, onDone: onChanged })
    setBusy(false)
    if (wasChanged && [currentTarget, document.body].includes(document.activeElement ?? document.body)) onEnded?.()
  }
  return (
    <Button look="quiet" aria-disabled={isBusy} onClick={end} aria-label={`${ending.label}: ${leadTitle(lead)}`}>
      {ending.label}
    </Button>
  )
}
