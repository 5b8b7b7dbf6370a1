import { type RefObject, useEffect, useRef } from 'react'

/** Takes the focus to what has just come in place of the button that was pressed, or it would be lost. Give it `tabIndex={-1}`. */
export const useFirstFocus = <Element extends HTMLElement>(): RefObject<Element | null> => {
  const element = useRef<Element>(null)
  useEffect(() => element.current?.focus(), [])
  return element
}
