import { Global } from '@emotion/react'
import { type RefObject, useEffect } from 'react'

const SHEET_WINDOW = '(max-width: 40rem), (max-height: 30rem)'

/** Where an open chat is a sheet over the whole window: on phones, upright and lying. */
export const asSheet = `@media ${SHEET_WINDOW}`

/** Whether an open chat is a sheet now. */
export const isSheet = () => matchMedia(SHEET_WINDOW).matches

/** Where a phone's keyboard leaves so little of the sheet that only the conversation and its input fit. */
export const besideKeyboard = '@container (max-height: 24rem)'

/** The sheet's place. What a phone's keyboard leaves of the window is all that it takes. */
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

/** While the sheet covers it, the page neither scrolls nor takes the focus. Elsewhere only what floats gives way. */
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

/**
 * Tells the sheet what can be seen of the window: a phone's keyboard covers the rest. A page that is zoomed into stays
 * as it is.
 */
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
