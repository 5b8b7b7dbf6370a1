import { useEffect, useEffectEvent, useRef } from 'react'
import { isComposing } from '../../ui/composing.ts'

/** The actions on an item of a list that a key performs; a list offers some of them. */
const ACTIONS = {
  e: { action: 'email', name: 'Email' },
  w: { action: 'whatsapp', name: 'WhatsApp' },
  c: { action: 'call', name: 'Call' },
  a: { action: 'assign', name: 'Assign, to yourself first' },
  s: { action: 'status', name: 'Set the status' },
  x: { action: 'select', name: 'Select: a, s and # then act on all selected' },
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

/** Focuses the title of the screen, for lists without a row. */
export const focusTitle = () => document.querySelector<HTMLElement>('[data-top-bar] h1')?.focus()

/** The items of all lists on the screen, in the order in which they are shown: elements with `data-row`. */
const rowsOnScreen = () => [...document.querySelectorAll<HTMLElement>('[data-row]')]

const rowWithFocus = () => document.activeElement?.closest<HTMLElement>('[data-row]')

/** Focuses an item: the element with `rowId`, or else the first link or button in it. */
const focusItem = (row: HTMLElement) =>
  (
    row.querySelector<HTMLElement>('[id^="row-"], [id^="open-"]') ?? row.querySelector<HTMLElement>('a, button')
  )?.focus()

/**
 * Moves the focus if the item that had it has left its place, or the button that had it is gone: to where the item is
 * now, or else to the item in its place, or to the title if none is left.
 */
const useFocusOnItem = () => {
  const last = useRef<{ element: Element; id: string | undefined; place: number }>(undefined)
  useEffect(() => {
    const remember = () => {
      const [element, row] = [document.activeElement, rowWithFocus()]
      last.current = element && row ? { element, id: row.dataset.row, place: rowsOnScreen().indexOf(row) } : undefined
    }
    addEventListener('focusin', remember)
    return () => removeEventListener('focusin', remember)
  }, [])
  useEffect(() => {
    if (!last.current || last.current.element.isConnected || document.activeElement !== document.body) return
    const { id, place } = last.current
    last.current = undefined
    const rows = rowsOnScreen()
    const next = rows.find(({ dataset }) => dataset.row === id) ?? rows[Math.min(place, rows.length - 1)]
    if (next) focusItem(next)
    else focusTitle()
  })
}

/** The lists on the screen, each as the actions that it offers on its current item. */
const lists = new Set<() => ListAction[]>()

/** The actions that the lists on the screen offer on their current item, for the palette. */
export const currentActions = (): ListAction[] => [...lists].flatMap((actionsOf) => actionsOf())

export const pressListKey = (action: ListAction) => {
  const key = Object.entries(ACTIONS).find(([, each]) => each.action === action)?.[0]
  if (key) dispatchEvent(new KeyboardEvent('keydown', { key }))
}

type ListKeys = {
  /** The item in the panel, which follows `j` and `k`, or that of the screen. */
  shownId?: string | undefined
  /** Goes to the next item, or to the one before, from the screen of one. */
  onStep?: (by: 1 | -1) => void
  /** Shows an item in the panel, or closes it. */
  show?: (id?: string) => void
  actions?: Partial<Record<ListAction, (id: string) => void>>
  /** The actions on the selected items: they replace those on one, as long as any are selected. */
  onSelection?: Partial<Record<ListAction, () => void>> | undefined
}

/**
 * Moves through the items on the screen (`data-row`, with their ids) by `j` and `k`, and acts on the one with the focus,
 * or on the one in the panel, by the keys of `LIST_KEYS`, or on the selected ones. While the staff member types, chooses, or has a dialog open,
 * the keys are not handled.
 */
export const useListKeys = ({ shownId, onStep, show, actions = {}, onSelection }: ListKeys = {}) => {
  useFocusOnItem()
  /** The item with the focus, or else the one in the panel. */
  const current = () => rowWithFocus() ?? rowsOnScreen().find(({ dataset }) => shownId && dataset.row === shownId)
  const step = (by: 1 | -1) => {
    if (onStep) return onStep(by)
    const rows = rowsOnScreen()
    const row = current()
    const next = row ? (rows[rows.indexOf(row) + by] ?? row) : rows[0]
    if (!next) return
    focusItem(next)
    if (shownId) show?.(next.dataset.row)
  }
  /** Returns whether there is an action by that name now. */
  const perform = (action: ListAction): boolean => {
    const [onSelected, onOne] = [onSelection?.[action], actions[action]]
    const id = current()?.dataset.row ?? shownId
    if (onSelected) onSelected()
    else if (id && onOne) onOne(id)
    else return false
    return true
  }
  const act = useEffectEvent((event: KeyboardEvent) => {
    const command = isForOthers(event) ? undefined : listCommandOf(event)
    if (!command) return
    if (command === 'next' || command === 'previous') {
      event.preventDefault()
      return step(command === 'next' ? 1 : -1)
    }
    if (command === 'close') {
      if (!shownId || !show) return
      event.preventDefault()
      show(undefined)
      return focusRow(shownId)
    }
    if (perform(command)) event.preventDefault()
  })
  const offered = useEffectEvent(() =>
    (current() ?? shownId) ? Object.values(ACTIONS).flatMap(({ action }) => (actions[action] ? [action] : [])) : [],
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
