import { useState } from 'react'
import type { FollowUp } from '../../../events/follow-up.ts'
import type { Lead } from '../../../events/wire/lead.ts'
import { Button } from '../../ui/button.tsx'
import { changeWithUndo } from './change-with-undo.ts'
import { leadTitle } from './list.ts'

/** Spam is no lead to win: it stays in quarantine, and waits for nobody. */
const SPAM: FollowUp = { followUpStatus: 'lost' }

/** Marks a flagged lead as spam, and offers to take that back; `onChanged` is called after each of the two. */
export const SpamButton = (props: { lead: Lead; onChanged: () => void; onMarked?: () => void }) => {
  const { lead, onChanged, onMarked } = props
  const [isBusy, setBusy] = useState(false)
  const mark = async () => {
    if (isBusy) return
    setBusy(true)
    if (await changeWithUndo([lead], SPAM, { done: 'marked as spam', onDone: onChanged })) onMarked?.()
    setBusy(false)
  }
  return (
    <Button look="quiet" aria-disabled={isBusy} onClick={mark} aria-label={`Spam: ${leadTitle(lead)}`}>
      Spam
    </Button>
  )
}
