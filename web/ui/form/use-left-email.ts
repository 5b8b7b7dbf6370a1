import { createElement, useEffect, useEffectEvent, useState } from 'react'
import type * as Endings from './endings.tsx'

/**
 * The email address that somebody has left in a form, also before the page came alive, and the question below it whether
 * another one was meant. `take` puts the one that was meant into the form.
 */
export const useLeftEmail = (
  endings: typeof Endings | undefined,
  { read, take }: { read: () => string; take: (address: string) => void },
) => {
  const [email, setEmail] = useState('')
  const meant = endings?.meantAddress(email)

  /** Looks at the address, not in the middle of a press: what moves under it would not be pressed. */
  const leave = () => {
    const look = () => setEmail(read())
    if (document.querySelector(':active')) addEventListener('mouseup', () => setTimeout(look), { once: true })
    else look()
  }
  const comeAlive = useEffectEvent(() => {
    if (!document.activeElement?.matches('[name=email]')) leave()
  })
  useEffect(() => comeAlive(), [])

  return {
    leave,
    clear: () => setEmail(''),
    question:
      endings &&
      meant &&
      createElement(endings.MeantAddress, {
        meant,
        onTake: () => {
          setEmail(meant)
          take(meant)
        },
      }),
  }
}
