import { useEffect } from 'react'

/** How long after a pressed control was removed, and how near to it, a press is still meant for it. */
const SLIP_MS = 700
const SLIP_PX = 8

const controlOf = ({ target }: MouseEvent) =>
  target instanceof Element ? target.closest<HTMLElement>('button, a, summary') : null

/**
 * A press: when and where it was, in milliseconds and pixels of the window, and when its control was removed from the
 * page.
 */
type Press = { control: HTMLElement; at: number; x: number; y: number; leftAt?: number }

/**
 * Drops a second press at the same place that hits another control: the pressed one was just removed, and the next row
 * or button has moved under the pointer. Presses by key all count.
 */
export const useSlipGuard = () => {
  useEffect(() => {
    let last: Press | undefined
    const leaving = new MutationObserver(() => {
      if (last && !last.control.isConnected) last.leftAt ??= performance.now()
    })
    const isSlip = ({ timeStamp, clientX, clientY }: MouseEvent, control: HTMLElement) =>
      last !== undefined &&
      control !== last.control &&
      timeStamp - (last.leftAt ?? last.at) < SLIP_MS &&
      Math.hypot(clientX - last.x, clientY - last.y) < SLIP_PX
    const onClick = (event: MouseEvent) => {
      // a press by key has no place
      const control = event.detail === 0 ? null : controlOf(event)
      if (control && isSlip(event, control)) {
        event.preventDefault()
        event.stopPropagation()
      } else last = control ? { control, at: event.timeStamp, x: event.clientX, y: event.clientY } : undefined
    }
    leaving.observe(document.body, { childList: true, subtree: true })
    addEventListener('click', onClick, true)
    return () => {
      leaving.disconnect()
      removeEventListener('click', onClick, true)
    }
  }, [])
}
