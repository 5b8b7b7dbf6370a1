import { type RefObject, useEffect, useRef } from 'react'

/**
 * Focuses an element that has replaced the pressed button: the focus would be lost with the button. Give the element
 * `tabIndex={-1}`. Nothing is focused if `isInPlace` is false.
 */
export const useFirstFocus = <Element extends HTMLElement>(isInPlace = true): RefObject<Element | null> => {
  const element = useRef<Element>(null)
  useEffect(() => {
    if (isInPlace) element.current?.focus()
  }, [isInPlace])
  return element
}
