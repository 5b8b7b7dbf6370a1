import { Global } from '@emotion/react'
import { type RefObject, useEffect } from 'react'

const SHEET_WINDOW = '(max-width: 40rem), (max-height: 30rem)'

/** The windows in which an open chat is a sheet over the whole window: phones, upright and lying. */
export const asSheet = `@media ${SHEET_WINDOW}`

export const isSheet = () => matchMedia(SHEET_WINDOW).matches

/** A sheet whose phone keyboard leaves so little room that only the conversation and its input fit. */
export const withKeyboard = '@container (max-height: 24rem)'

/** The sheet's place: the part of the window that a phone's keyboard leaves. */
export const sheet = {
  inset: 'var(--visible-top, 0) 0 auto',
  zIndex: 70,
  width: '100%',
  maxWidth: 'none',
  height: 'var(--visible-height, 100dvh)',
  maxHeight: 'none',
  borderRadius: 0,
  boxShadow: 'none',
} as const

/** While the sheet covers it, the page neither scrolls nor takes the focus. Else only floating parts give way. */
export const CoveredPage = () => (
  <Global
    styles={{
      '[data-floats]': { visibility: 'hidden' },
      [asSheet]: {
        html: { overflow: 'hidden' },
        'body > :not(#top), #top > :not([data-island=chat])': { visibility: 'hidden' },
      },
    }}
  />
)

/** Sets the sheet to the part of the window that a phone's keyboard leaves. A zoomed page stays as it is. */
export const useVisibleWindow = (element: RefObject<HTMLElement | null>, isExpanded: boolean) => {
  useEffect(() => {
    const { visualViewport } = window
    if (!isExpanded || !visualViewport) return
    const leaving = new AbortController()
    const adapt = () => {
      if (visualViewport.scale > 1) return
      element.current?.style.setProperty('--visible-height', `${visualViewport.height}px`)
      element.current?.style.setProperty('--visible-top', `${visualViewport.offsetTop}px`)
    }
    adapt()
    for (const change of ['resize', 'scroll']) {
      visualViewport.addEventListener(change, adapt, { signal: leaving.signal })
    }
    return () => leaving.abort()
  }, [element, isExpanded])
}
