import { useEffect, useEffectEvent } from 'react'
import { isComposing } from '../../ui/composing.ts'

/** The actions on an item of a list that a key performs; a list offers some of them. */
const ACTIONS = {
  e: { action: 'email', name: 'Email' },
  w: { action: 'whatsapp', name: 'WhatsApp' },
  c: { action: 'call', name: 'Call' },
  a: { action: 'assign', name: 'Assign, to yourself first' },
  s: { action: 'status', name: 'Set the status' },
  x: { action: 'select', name: 'Select' },
  '#': { action: 'spam', name: 'Mark as spam' },
} as const

export type ListAction = (typeof ACTIONS)[keyof typeof ACTIONS]['action']

/** The one map of keys of all lists, as the help lists it. */
export const LIST_KEYS: readonly { keys: string[]; does: string }[] = [
  { keys: ['j'], does: 'Next' },
  { keys: ['k'], does: 'Previous' },
  { keys: ['Enter'], does: 'Open' },
  ...Object.entries(ACTIONS).map(([key, { name }]) => ({ keys: [key], does: name })),
  { keys: ['Esc'], does: 'Close the panel' },
]

type Keys = Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>

/** The command of a key in a list: go to the next or previous item, close the panel, or an action. */
export const listCommandOf = ({ key, altKey, ctrlKey, metaKey, shiftKey }: Keys) => {
  // some keyboards have # on a key of its own, some with Shift, some with Alt
  if (key === '#') return ctrlKey || metaKey ? undefined : 'spam'
  if (altKey || ctrlKey || metaKey || shiftKey) return undefined
  if (key === 'j') return 'next'
  if (key === 'k') return 'previous'
  if (key === 'Escape') return 'close'
  return Object.hasOwn(ACTIONS, key) ? ACTIONS[key as keyof typeof ACTIONS].action : undefined
}

/** Whether a key is meant for a field, a dialog, a menu or an input method. */
export const isForOthers = (event: KeyboardEvent) =>
  event.defaultPrevented ||
  isComposing(event) ||
  document.querySelector('dialog[open], [data-menu]') !== null ||
  (event.target instanceof Element && event.target.matches('input:not([type=checkbox]), textarea, select'))

/** The id of the link or button of an item in a list, which takes the focus, and which Enter presses. */
export const rowId = (id: string) => `row-${id}`

export const focusRow = (id: string) => document.getElementById(rowId(id))?.focus()

/** The lists on the screen, each as the actions that it offers on its current item. */
const lists = new Set<() => ListAction[]>()

/** The actions that the lists on the screen offer on their current item, for the palette. */
export const currentActions = (): ListAction[] => [...lists].flatMap((actionsOf) => actionsOf())

export const pressListKey = (action: ListAction) => {
  const key = Object.entries(ACTIONS).find(([, each]) => each.action === action)?.[0]
  if (key) dispatchEvent(new KeyboardEvent('keydown', { key }))
}

type ListKeys = {
  /** The items in the order in which they are shown; each has an element with `rowId`. */
  ids: readonly string[]
  /** The item in the panel, which follows `j` and `k`. */
  shownId?: string | undefined
  /** Shows an item in the panel, or closes it. */
  show?: (id?: string) => void
  actions?: Partial<Record<ListAction, (id: string) => void>>
}

/**
 * Moves through a list by `j` and `k`, and acts on the focused item, or on the one in the panel, by the keys of
 * `LIST_KEYS`. While the staff member types, chooses, or has a dialog open, the keys are not handled.
 */
export const useListKeys = ({ ids, shownId, show, actions = {} }: ListKeys) => {
  /** The place of the focused item, or else of the one in the panel; -1 if there is none. */
  const currentPlace = () => {
    const row = document.activeElement?.closest('[data-row]')?.querySelector('[id^="row-"]') ?? document.activeElement
    const focused = ids.findIndex((id) => rowId(id) === row?.id)
    return focused < 0 ? ids.indexOf(shownId ?? '') : focused
  }
  const goTo = (id: string | undefined) => {
    if (!id) return
    focusRow(id)
    if (shownId) show?.(id)
  }
  const act = useEffectEvent((event: KeyboardEvent) => {
    const command = isForOthers(event) ? undefined : listCommandOf(event)
    if (!command) return
    const place = currentPlace()
    const id = ids[place]
    if (command === 'next' || command === 'previous') {
      event.preventDefault()
      return goTo(ids[command === 'next' ? Math.min(place + 1, ids.length - 1) : Math.max(place - 1, 0)])
    }
    if (command === 'close') {
      if (!shownId || !show) return
      event.preventDefault()
      show(undefined)
      return focusRow(shownId)
    }
    if (!id || !actions[command]) return
    event.preventDefault()
    actions[command](id)
  })
  const offered = useEffectEvent(() =>
    currentPlace() < 0 ? [] : Object.values(ACTIONS).flatMap(({ action }) => (actions[action] ? [action] : [])),
  )
  useEffect(() => {
    const listen = (event: KeyboardEvent) => act(event)
    const actionsOf = () => offered()
    addEventListener('keydown', listen)
    lists.add(actionsOf)
    return () => {
      removeEventListener('keydown', listen)
      lists.delete(actionsOf)
    }
  }, [])
}
