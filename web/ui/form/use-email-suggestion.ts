import { createElement, useEffect, useEffectEvent, useState } from 'react'
import type * as Endings from './lazy-parts.tsx'

/**
 * The email address in a form, also if typed before hydration, and the suggestion for a misspelt one. `take` applies
 * the suggestion.
 */
export const useEmailSuggestion = (
  lazyParts: typeof Endings | undefined,
  { read, take }: { read: () => string; take: (address: string) => void },
) => {
  const [email, setEmail] = useState('')
  const suggested = lazyParts?.meantAddress(email)

  /** Checks the address, but not during a press: a layout shift would make the press miss. */
  const leave = () => {
    const look = () => setEmail(read())
    if (document.querySelector(':active')) addEventListener('mouseup', () => setTimeout(look), { once: true })
    else look()
  }
  const hydrate = useEffectEvent(() => {
    if (!document.activeElement?.matches('[name=email]')) leave()
  })
  useEffect(() => hydrate(), [])

  return {
    leave,
    clear: () => setEmail(''),
    question:
      lazyParts &&
      suggested &&
      createElement(lazyParts.SuggestedAddress, {
        suggested,
        onAccept: () => {
          setEmail(suggested)
          take(suggested)
        },
      }),
  }
}
