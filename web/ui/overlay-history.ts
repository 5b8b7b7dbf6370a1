import { useEffect } from 'react'
import { type Overlay, overlayEntry } from './overlay-entry.ts'

/** How to close each overlay that is open. */
const open = new Map<Overlay, () => void>()

/** While the browser is on its way back from the entry of an overlay that was closed by other means. */
let isLeaving = false

/** The target of a link that was followed in the meantime. */
let destination: string | undefined

/** Adds a history entry for an overlay. The way back leaves the scroll position to the reader. */
const enter = (overlay: Overlay) => {
  if (isLeaving || overlayEntry() === overlay) return
  const state = { ...history.state, overlay }
  if (overlayEntry()) return history.replaceState(state, '')
  history.scrollRestoration = 'manual'
  history.pushState(state, '')
  history.scrollRestoration = 'auto'
}

const leave = () => {
  if (isLeaving) return
  isLeaving = true
  history.back()
}

/** The way back from an overlay's entry closes it. The way forward to it opens it again (afterwards.ts). */
const follow = () => {
  history.scrollRestoration = 'auto'
  const entry = overlayEntry()
  if (!isLeaving) {
    for (const [overlay, close] of open) if (overlay !== entry) close()
    return
  }
  isLeaving = false
  const href = destination
  destination = undefined
  // the way back must finish first: otherwise it replaces the link's target
  if (href) return setTimeout(() => location.assign(href))
  // opened in the meantime
  for (const overlay of open.keys()) enter(overlay)
}

/** Leaves the overlay's entry before a link is followed, so that it does not stay in the history. */
export const leaveThenFollow = (
  event: Pick<MouseEvent, 'ctrlKey' | 'metaKey' | 'shiftKey' | 'preventDefault'>,
  link: HTMLAnchorElement,
) => {
  const isElsewhere = link.target || event.ctrlKey || event.metaKey || event.shiftKey
  if (isElsewhere || !overlayEntry()) return
  event.preventDefault()
  destination = link.href
  leave()
}

/** A link that is followed while the browser is on its way back waits for that. */
const holdBack = (event: MouseEvent) => {
  const link = (event.target as Element).closest('a')
  if (isLeaving && link) leaveThenFollow(event, link)
}

/** Gives an open overlay a history entry, so that Back closes it and stays on the page. */
export const useOverlayHistory = (overlay: Overlay, isOpen: boolean, close: () => void) => {
  useEffect(() => {
    if (!isOpen) return
    addEventListener('popstate', follow)
    addEventListener('click', holdBack, true)
    open.set(overlay, close)
    enter(overlay)
    return () => {
      open.delete(overlay)
      if (overlayEntry() === overlay) leave()
    }
  }, [overlay, isOpen, close])
}
