import type { ReactNode } from 'react'
import { listenerSet } from '../ui/store.ts'

/** One thing that is unsaved, in a line; two may read the same. */
type LeaveItem = { id: string; line: ReactNode }

/**
 * What is asked before something that was typed is given up; `isLost` where this device does not keep it, which `lost`
 * tells before all else. `items` are a list below the text.
 */
export type LeaveWords = {
  title: string
  lost?: string
  text: string
  items?: readonly LeaveItem[]
  leave: string
  isLost?: true
}

/** What is asked about words that were typed. */
export const TYPED: LeaveWords = {
  title: 'Leave without saving?',
  text: 'What you typed here is not saved yet.',
  leave: 'Leave without saving',
}

const held = new Map<symbol, LeaveWords>()

const listeners = listenerSet()

/** Notes that something typed is unsaved, so that nobody is sent away from it; answers how to take that back. */
export const holdUnsaved = (words: LeaveWords) => {
  const holder = Symbol('unsaved')
  held.set(holder, words)
  listeners.tell()
  return () => {
    held.delete(holder)
    listeners.tell()
  }
}

/** Calls `listener` when something else is unsaved. Answers how to stop. */
export const onUnsavedChange = listeners.add

/** Gives up all that is unsaved: nothing asks for it any more. */
export const giveUpUnsaved = () => {
  held.clear()
  listeners.tell()
}

/** What to ask before this screen is left, first of what would be lost; undefined where nothing on it is unsaved. */
export const unsavedWords = (): LeaveWords | undefined => {
  const [first, ...others] = held.values()
  return first?.isLost ? first : (others.find(({ isLost }) => isLost) ?? first)
}

/** Whether anything that was typed on this screen is still unsaved. */
export const isAnythingUnsaved = () => held.size > 0
