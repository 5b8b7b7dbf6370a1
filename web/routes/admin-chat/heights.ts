import type { CSSObject } from '@emotion/react'
import { withBar } from '../../ui/theme.ts'
import { LOW } from './facts.tsx'

/** The height of the way back above the pane, with some space: it and the pane's foot are visible together. */
const ABOVE = '4.5rem'
/** The same, with the folded facts about the chat below the pane. */
const AROUND = '8.25rem'
/** The space above the pane in a high window, and the room for toasts below every screen. */
const IN_HIGH_WINDOW = '9rem'

const heightWithout = (rest: string) => `max(20rem, 100dvh - ${rest} - var(--top, 0px))`

/**
 * The height of the pane, and of the columns next to it at most: 600 px in windows of up to 900 px, and the whole window
 * in higher ones. If the chat takes the list's place, it takes the whole window too. With a phone's keyboard open, for
 * which the bar is hidden, the content below it is hidden too.
 */
export const paneHeight: CSSObject = {
  height: `min(600px, ${heightWithout(ABOVE)})`,
  '@media (min-height: 56.3125rem)': { height: heightWithout(IN_HIGH_WINDOW) },
  [withBar]: { height: heightWithout(`${AROUND} - var(--bar, 0px)`) },
  [`${withBar} and ${LOW}`]: {
    height: heightWithout(`${ABOVE} - var(--bar, 0px)`),
    ':has(textarea:focus)': { height: heightWithout(ABOVE) },
  },
}

export const columnHeight: CSSObject = {
  maxHeight: '600px',
  '@media (min-height: 56.3125rem)': { maxHeight: heightWithout(IN_HIGH_WINDOW) },
}
