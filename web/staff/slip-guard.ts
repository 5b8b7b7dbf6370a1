import { useEffect } from 'react'

/** For how long after what was pressed has left, and how near to it, a press is still meant for it. */
const SLIP_MS = 700
const SLIP_PX = 8

const controlOf = ({ target }: MouseEvent) =>
  target instanceof Element ? target.closest<HTMLElement>('button, a, summary') : null

/** A press: when and where it was, in milliseconds and pixels of the window, and when its control left the page. */
type Press = { control: HTMLElement; at: number; x: number; y: number; leftAt?: number }

/**
 * Drops a second press at the same place that hits another control: what was pressed has just left, and the next row or
 * button has come under the pointer. Presses by key have no place, and all count.
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
      const control = controlOf(event)
      if (!control || event.detail === 0) return
      if (!isSlip(event, control)) {
        last = { control, at: event.timeStamp, x: event.clientX, y: event.clientY }
        return
      }
      event.preventDefault()
      event.stopPropagation()
    }
    leaving.observe(document.body, { childList: true, subtree: true })
    addEventListener('click', onClick, true)
    return () => {
      leaving.disconnect()
      removeEventListener('click', onClick, true)
    }
  }, [])
}
