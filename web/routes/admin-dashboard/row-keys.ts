import { useEffect, useEffectEvent } from 'react'
import { rowId } from '../../staff/leads/list-place.ts'
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
  const act = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || isComposing(event) || document.querySelector('dialog[open]')) return
    if (event.target instanceof Element && event.target.matches('input:not([type=checkbox]), textarea, select')) return
    const command = rowCommandOf(event)
    const { ids, peeked, peek, assign } = rows
    if (!command || (command === 'close' && !peeked)) return
    event.preventDefault()
    if (command === 'close') {
      peek(undefined)
      focusRow(peeked ?? '')
      return
    }
    const focused = ids.findIndex((id) => rowId(id) === document.activeElement?.id)
    const place = focused < 0 ? ids.indexOf(peeked ?? '') : focused
    const chosen = ids[place]
    if (command === 'assign') {
      if (chosen) assign(chosen)
      return
    }
    const target = ids[command === 'next' ? Math.min(place + 1, ids.length - 1) : Math.max(place - 1, 0)]
    if (!target) return
    focusRow(target)
    if (peeked) peek(target)
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => act(event)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}
