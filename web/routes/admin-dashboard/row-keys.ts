import { useEffect, useEffectEvent } from 'react'
import { rowId } from '../../staff/leads/list/place.ts'
import { isComposing } from '../../ui/composing.ts'

type Keys = Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>

/**
 * Returns the command of a key for the rows: go to the next or previous one, take a lead over, or close the preview.
 */
export const rowCommandOf = ({ key, altKey, ctrlKey, metaKey, shiftKey }: Keys) => {
  if (altKey || ctrlKey || metaKey || shiftKey) return undefined
  if (key === 'j') return 'next'
  if (key === 'k') return 'previous'
  if (key === 'a') return 'assign'
  return key === 'Escape' ? 'close' : undefined
}

/** The id of the heading of the list. */
export const LIST_TITLE = 'period-title'

/** Focuses the row of a lead, if it is shown. */
export const focusRow = (id: string) => document.getElementById(rowId(id))?.focus()

/** Whether the key is meant for a field, a dialog or an input method. */
const isForOthers = (event: KeyboardEvent) =>
  event.defaultPrevented ||
  isComposing(event) ||
  document.querySelector('dialog[open]') !== null ||
  (event.target instanceof Element && event.target.matches('input:not([type=checkbox]), textarea, select'))

/**
 * Moves through the rows by `j` and `k`, assigns the lead of one by `a`, and closes the preview by Escape; Enter on a
 * row opens it. An open preview follows. While the staff member types, chooses, or has a dialog open, the keys are not
 * handled.
 */
export const useRowKeys = (rows: {
  ids: readonly string[]
  peeked: string | undefined
  peek: (id?: string) => void
  assign: (id: string) => void
}) => {
  const { ids, peeked, peek, assign } = rows
  /** The focused row, or else the one in the preview; -1 if there is none. */
  const currentRow = () => {
    const focused = ids.findIndex((id) => rowId(id) === document.activeElement?.id)
    return focused < 0 ? ids.indexOf(peeked ?? '') : focused
  }
  const goTo = (id: string | undefined) => {
    if (!id) return
    focusRow(id)
    if (peeked) peek(id)
  }
  const act = useEffectEvent((event: KeyboardEvent) => {
    const command = isForOthers(event) ? undefined : rowCommandOf(event)
    if (!command || (command === 'close' && !peeked)) return
    event.preventDefault()
    const row = currentRow()
    const id = ids[row]
    if (command === 'next') goTo(ids[Math.min(row + 1, ids.length - 1)])
    else if (command === 'previous') goTo(ids[Math.max(row - 1, 0)])
    else if (command === 'assign') id && assign(id)
    else {
      peek(undefined)
      focusRow(peeked ?? '')
    }
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => act(event)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}
