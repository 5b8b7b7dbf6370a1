import { type RefObject, useEffect } from 'react'
import { showChat } from './visitor.ts'

/**
 * Makes an expanded chat smaller once the focus goes to a field of the page that the chat covers: what is typed there
 * stays in sight.
 */
export const useCoveredField = (frame: RefObject<HTMLElement | null>, isExpanded: boolean) => {
  useEffect(() => {
    if (!isExpanded) return
    const giveWay = ({ target }: FocusEvent) => {
      if (!frame.current || !(target instanceof Element) || !target.closest('main form')) return
      const field = target.getBoundingClientRect()
      const chat = frame.current.getBoundingClientRect()
      if (field.right > chat.left && field.bottom > chat.top && field.top < chat.bottom) showChat('minimised')
    }
    addEventListener('focusin', giveWay)
    return () => removeEventListener('focusin', giveWay)
  }, [frame, isExpanded])
}
