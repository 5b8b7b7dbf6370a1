import { type RefObject, useEffect, useRef } from 'react'

/**
 * Focuses an element that has taken the place of the button that was pressed: the focus would be lost with the button.
 * Give the element `tabIndex={-1}`. Nothing is focused where `isInPlace` is false.
 */
export const useFirstFocus = <Element extends HTMLElement>(isInPlace = true): RefObject<Element | null> => {
  const element = useRef<Element>(null)
  useEffect(() => {
    if (isInPlace) element.current?.focus()
  }, [isInPlace])
  return element
}
