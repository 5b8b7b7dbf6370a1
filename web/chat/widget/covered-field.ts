import { type RefObject, useEffect } from 'react'
import { showChat } from '../visitor/visitor-actions.ts'

/**
 * Minimises an expanded chat once the focus goes to a field of the page that the chat covers, so that the text typed
 * there is visible. A field that was out of sight is checked again when the page has scrolled to it.
 */
export const useCoveredField = (frame: RefObject<HTMLElement | null>, isExpanded: boolean) => {
  useEffect(() => {
    if (!isExpanded) return
    const scrollClear = () => {
      const { activeElement } = document
      if (!frame.current || !activeElement?.closest('main form')) return
      const field = activeElement.getBoundingClientRect()
      const chat = frame.current.getBoundingClientRect()
      if (field.right > chat.left && field.bottom > chat.top && field.top < chat.bottom) showChat('minimised')
    }
    const moments = ['focusin', 'scrollend'] as const
    for (const moment of moments) addEventListener(moment, scrollClear)
    return () => {
      for (const moment of moments) removeEventListener(moment, scrollClear)
    }
  }, [frame, isExpanded])
}
