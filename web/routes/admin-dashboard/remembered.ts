import { useState } from 'react'
import { stored } from '../../client/stored.ts'

/** A choice that this browser remembers under `key`; at first, and if it stores nothing, the first of the choices. */
export const useRemembered = <Choice extends string>(key: string, choices: readonly [Choice, ...Choice[]]) => {
  const remembered = stored(key, 'device', (value) => choices.find((known) => known === value))
  const [choice, setChoice] = useState(() => remembered.read() ?? choices[0])
  const choose = (next: Choice) => {
    setChoice(next)
    remembered.keep(next)
  }
  return [choice, choose] as const
}
