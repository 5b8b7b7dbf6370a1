import { useState } from 'react'

/** A choice that this browser remembers under `key`; the first of the choices where it has none, or keeps nothing. */
export const useRemembered = <Choice extends string>(key: string, choices: readonly [Choice, ...Choice[]]) => {
  const [choice, setChoice] = useState(() => {
    try {
      return choices.find((known) => known === localStorage.getItem(key)) ?? choices[0]
    } catch {
      return choices[0]
    }
  })
  const choose = (next: Choice) => {
    setChoice(next)
    try {
      localStorage.setItem(key, next)
    } catch {
      // a browser that keeps nothing begins with the first choice next time
    }
  }
  return [choice, choose] as const
}
