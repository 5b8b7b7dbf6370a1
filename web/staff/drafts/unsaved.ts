import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { listenerSet } from '../../client/store.ts'

/** One unsaved item, as a line; two may have the same text. */
type LeaveItem = { id: string; line: ReactNode }

/**
 * The question before typed text is discarded; `isLost` if this device does not store that text, which `lost` says
 * first. `items` are a list below the text.
 */
export type LeaveWords = {
  title: string
  lost?: string
  text: string
  items?: readonly LeaveItem[]
  leave: string
  isLost?: true
}

/** The question about text that this device stores. */
const STORED: LeaveWords = {
  title: 'Leave without saving?',
  text: 'Your text here is not saved yet.',
  leave: 'Leave without saving',
}

/** The question about text that this device does not store. */
export const LOST: LeaveWords = { ...STORED, isLost: true }

/** The question about changes. */
const CHANGED: LeaveWords = { ...STORED, text: 'Your changes here are not saved yet.' }

/** Unsaved work. If it is `guarded`, the page asks before it is left, and `onLeave` is called before it is. */
type Unsaved = { words: LeaveWords; isGuarded: boolean; onLeave: () => void }

const held = new Set<Unsaved>()

const listeners = listenerSet()

const hold = (unsaved: Unsaved) => {
  held.add(unsaved)
  listeners.notify()
  return () => {
    held.delete(unsaved)
    listeners.notify()
  }
}

type Guard = { words?: LeaveWords; isGuarded?: boolean; onLeave?: () => void }

/**
 * Registers a part of this screen as unsaved: the end of a session does not leave the page, and sign-out asks first. If
 * it `isGuarded`, which is the default, leaving this screen asks too; `onLeave` then discards the work.
 */
export const useUnsaved = (isUnsaved: boolean, { words = CHANGED, isGuarded = true, onLeave }: Guard = {}) => {
  const leave = useEffectEvent(() => onLeave?.())
  useEffect(
    () => (isUnsaved ? hold({ words, isGuarded, onLeave: () => leave() }) : undefined),
    [isUnsaved, words, isGuarded],
  )
}

/** `useUnsaved` for text that this device stores as long as `isStored`: leaving asks only if it does not. */
export const useUnsavedText = (isUnsaved: boolean, isStored: boolean) =>
  useUnsaved(isUnsaved, isStored ? { words: STORED, isGuarded: false } : { words: LOST })

/** Calls `listener` when the unsaved work changes. Returns the function that unsubscribes. */
export const onUnsavedChange = listeners.add

/** Discards all unsaved work: no question is asked about it afterwards. */
export const discardUnsaved = () => {
  held.clear()
  listeners.notify()
}

const firstLost = (unsaved: readonly Unsaved[]) => (unsaved.find(({ words }) => words.isLost) ?? unsaved[0])?.words

const guarded = () => [...held].filter(({ isGuarded }) => isGuarded)

/** The question before sign-out, about lost text first; undefined if nothing on this screen is unsaved. */
export const unsavedWords = () => firstLost([...held])

/** The question before this screen is left, about lost text first; undefined if nothing asks for one. */
export const guardedWords = () => firstLost(guarded())

/** Discards the work that the question was about. */
export const discardGuarded = () => {
  for (const { onLeave } of guarded()) onLeave()
}

/** Whether text that was typed on this screen is still unsaved. */
export const isAnythingUnsaved = () => held.size > 0
