import { useState } from 'react'
import type { FollowUp } from '../../../events/follow-up.ts'
import type { Lead } from '../../../events/wire/lead.ts'
import { changeWithUndo } from './change-with-undo.ts'

/**
 * Makes a change of a lead by one press, with undo. It is busy until the lead is shown as it has become: a press before
 * that would change nothing, and take the undo of the first away. `change` answers whether anything was changed.
 */
export const useLeadChange = (lead: Lead, onChanged: () => void) => {
  const [changed, setChanged] = useState<number>()
  const isBusy = changed === lead.version
  const change = async (wanted: FollowUp, done: string): Promise<boolean> => {
    if (isBusy) return false
    setChanged(lead.version)
    const wasChanged = await changeWithUndo([lead], wanted, { done, onDone: onChanged })
    if (!wasChanged) setChanged(undefined)
    return wasChanged
  }
  return { isBusy, change }
}
