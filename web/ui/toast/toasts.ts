import { listenerSet } from '../../client/store.ts'

/**
 * A toast. `destructive` ones interrupt a screen reader; `about` names a person after the title, with a link to them;
 * `action` is offered within the toast.
 */
export type Toast = {
  id: number
  title: string
  about?: { name: string; address: string }
  description?: string
  variant?: 'destructive'
  action?: { label: string; run: () => void }
  /** Shown until it is dismissed or another one comes: it offers what is done later. */
  stays?: true
}

/** Time until a toast closes, unless it is pointed at or focused (specification, 9). */
export const TOAST_DURATION_MS = 5_000

let current: Toast | undefined
let lastId = 0
const listeners = listenerSet()

const change = (toast: Toast | undefined) => {
  current = toast
  listeners.notify()
}

/** Shows a toast in place of the one that is visible: at most one is (specification, 9). */
export const toast = (content: Omit<Toast, 'id'>) => {
  lastId += 1
  change({ ...content, id: lastId })
}

export const dismissToast = (id: number) => {
  if (current?.id === id) change(undefined)
}

export const currentToast = () => current

export const onToastChange = listeners.add
