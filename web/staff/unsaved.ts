const holders = new Set<symbol>()

/** Notes that something typed is unsaved, so that nobody is sent away from it; answers how to take that back. */
export const holdUnsaved = () => {
  const holder = Symbol('unsaved')
  holders.add(holder)
  return () => {
    holders.delete(holder)
  }
}

/** Whether anything that was typed on this screen is still unsaved. */
export const isAnythingUnsaved = () => holders.size > 0
