import { type ReactNode, useEffect, useId, useRef } from 'react'
import { colour, radius, shadow, space, type } from './theme.ts'

/**
 * Swallows the second click of a double-click whose first click closed a dialog, so that it does not hit the element
 * below. Browsers count the clicks of a series; the next series counts again.
 */
const swallowSecondClick = () => {
  const swallowing = new AbortController()
  const swallow = (event: MouseEvent) => {
    if (event.detail >= 2) {
      event.preventDefault()
      event.stopPropagation()
    } else if (event.type === 'mousedown') swallowing.abort()
  }
  for (const type of ['mousedown', 'mouseup', 'click', 'dblclick'] as const) {
    addEventListener(type, swallow, { capture: true, signal: swallowing.signal })
  }
}

/**
 * A modal question: the browser traps the focus, and Escape closes it. It is open while it is rendered; the focus then
 * returns to where it was. While `isHeld`, Escape does nothing.
 */
export const Dialog = (props: {
  title: string
  width?: string
  isHeld?: boolean
  onClose: () => void
  children: ReactNode
}) => {
  const { title, width = '30rem', isHeld = false, onClose, children } = props
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const opener = document.activeElement
    const element = dialog.current
    if (!element?.open) element?.showModal()
    return () => {
      element?.close()
      swallowSecondClick()
      if (opener instanceof HTMLElement) opener.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      // a second Escape closes a dialog though the first was refused
      closedby={isHeld ? 'none' : undefined}
      onCancel={(event) => {
        event.preventDefault()
        if (!isHeld) onClose()
      }}
      css={{
        width: `min(${width}, calc(100vw - 2rem))`,
        maxHeight: 'calc(100dvh - 2rem)',
        // the focused element is not covered by the buttons at the foot
        scrollPaddingBottom: '6rem',
        padding: space.roomy,
        border: 0,
        borderRadius: radius.card,
        background: colour.sheet,
        color: colour.ink,
        boxShadow: shadow.floating,
        overflowWrap: 'anywhere',
        '::backdrop': { background: 'rgb(22 24 31 / 45%)' },
      }}
    >
      <h2 id={id} css={{ marginBottom: space.snug, fontSize: type.step }}>
        {title}
      </h2>
      {children}
    </dialog>
  )
}

/**
 * The ref of the element that gets the focus first, if that is not the dialog's first control: React drops the
 * attribute.
 */
export const firstFocus = (element: HTMLElement | null) => element?.setAttribute('autofocus', '')

/** The buttons at a dialog's foot: the action first, cancel last. They stay visible however long the dialog is. */
export const DialogActions = ({ children }: { children: ReactNode }) => (
  <div
    css={{
      position: 'sticky',
      bottom: `-${space.roomy}`,
      display: 'flex',
      flexWrap: 'wrap',
      gap: space.snug,
      margin: `${space.tight} -${space.roomy} -${space.roomy}`,
      padding: `${space.base} ${space.roomy} ${space.roomy}`,
      background: colour.sheet,
    }}
  >
    {children}
  </div>
)
