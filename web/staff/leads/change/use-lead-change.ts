import { useState } from 'react'
import type { FollowUp } from '../../../../events/lead/follow-up/follow-up.ts'
import type { Lead } from '../../../../events/lead/wire.ts'
import { useMe } from '../../account/account.ts'
import { changeWithUndo } from './change-with-undo.ts'

/**
 * Runs an action on a lead by one press; `act` returns whether it changed the lead. It is busy until the changed lead
 * is shown: a press before that would change nothing, and remove the undo of the first.
 */
export const useOnePress = (lead: Lead) => {
  const [changed, setChanged] = useState<number>()
  const isBusy = changed === lead.version
  const press = async (act: () => Promise<boolean>): Promise<boolean> => {
    if (isBusy) return false
    setChanged(lead.version)
    const wasChanged = await act()
    if (!wasChanged) setChanged(undefined)
    return wasChanged
  }
  return { isBusy, press }
}

/** Makes a change of a lead by one press, with undo. `change` returns whether it changed anything. */
export const useLeadChange = (lead: Lead, onChanged: () => void) => {
  const { data: me } = useMe()
  const { isBusy, press } = useOnePress(lead)
  const change = (wanted: FollowUp, done: string) =>
    press(() => changeWithUndo([lead], wanted, { done, onDone: onChanged, myId: me?.id }))
  return { isBusy, change }
}
