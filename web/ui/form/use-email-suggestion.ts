import { createElement, useEffect, useEffectEvent, useState } from 'react'
import type * as Endings from './lazy-parts.tsx'

/**
 * The email address in a form, also if typed before hydration, and the suggestion for a misspelt one. `take` applies
 * the suggestion.
 */
export const useLeftEmail = (
  endings: typeof Endings | undefined,
  { read, take }: { read: () => string; take: (address: string) => void },
) => {
  const [email, setEmail] = useState('')
  const meant = endings?.meantAddress(email)

  /** Checks the address, but not during a press: a layout shift would make the press miss. */
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
