/** What is asked before something that was typed is given up; `isLost` where this device does not keep it. */
export type LeaveWords = { title: string; text: string; leave: string; isLost?: true }

const held = new Map<symbol, LeaveWords>()

/** Notes that something typed is unsaved, so that nobody is sent away from it; answers how to take that back. */
export const holdUnsaved = (words: LeaveWords) => {
  const holder = Symbol('unsaved')
  held.set(holder, words)
  return () => {
    held.delete(holder)
  }
}

/** Gives up all that is unsaved: nothing asks for it any more. */
export const giveUpUnsaved = () => held.clear()

/** What to ask before this screen is left; undefined where nothing that was typed on it is unsaved. */
export const unsavedWords = (): LeaveWords | undefined => held.values().next().value

/** Whether anything that was typed on this screen is still unsaved. */
export const isAnythingUnsaved = () => held.size > 0
