import { setImmediate as nextTurn } from 'node:timers/promises'

/** After so long, other work of the process goes first. */
const TURN_MS = 5

/** Lets other work of the process go first once this work has run for long enough; call it between its steps. */
export const openYielding = () => {
  let since = performance.now()
  return async (): Promise<void> => {
    if (performance.now() - since < TURN_MS) return
    await nextTurn()
    since = performance.now()
  }
}
