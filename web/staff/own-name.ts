import { useState } from 'react'
import { SUPPORT_TEAM_NAME } from '../../events/chat.ts'
import type { Me } from '../../events/wire/staff.ts'

type Named = Pick<Me, 'username' | 'displayName'>

/** Whether somebody has given no name of their own: the first account begins with its username. */
export const isNameless = ({ username, displayName }: Named) => displayName === username

/** The name under which customers hear from somebody: never a bare username. */
export const nameForCustomers = (me: Named) => (isNameless(me) ? SUPPORT_TEAM_NAME : me.displayName)

const keyOf = ({ id }: Pick<Me, 'id'>) => `name-not-wanted-${id}`

const wasDismissed = (me: Me) => {
  try {
    return localStorage.getItem(keyOf(me)) !== null
  } catch {
    return false
  }
}

/** Whether somebody still has to hear that they have no name of their own; this browser remembers that they want none. */
export const useNamePrompt = (me: Me) => {
  const [isDismissed, setDismissed] = useState(() => wasDismissed(me))
  const dismiss = () => {
    setDismissed(true)
    try {
      localStorage.setItem(keyOf(me), 'true')
    } catch {
      // a browser that keeps nothing asks again next time
    }
  }
  return { isAsked: isNameless(me) && !isDismissed, dismiss }
}
