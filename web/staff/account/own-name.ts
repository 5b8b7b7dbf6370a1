import { useState } from 'react'
import { SUPPORT_TEAM_NAME } from '../../../events/chat/chat.ts'
import type { Me } from '../../../events/staff/wire.ts'
import { stored } from '../../client/stored.ts'

type Named = Pick<Me, 'username' | 'displayName'>

/** Whether an account has no name of its own: the first account begins with its username. */
export const isNameless = ({ username, displayName }: Named) => displayName === username

/** The name that customers see for a staff member: never a bare username. */
export const nameForCustomers = (me: Named) => (isNameless(me) ? SUPPORT_TEAM_NAME : me.displayName)

/**
 * Whether a staff member still has to learn that they have no name of their own; this browser remembers that they want
 * none.
 */
export const useNamePrompt = (me: Me) => {
  const dismissal = stored(`name-not-wanted-${me.id}`, 'device', Boolean)
  const [isDismissed, setDismissed] = useState(dismissal.read)
  const dismiss = () => {
    setDismissed(true)
    dismissal.keep(true)
  }
  return { isAsked: isNameless(me) && !isDismissed, dismiss }
}
