import { Global } from '@emotion/react'
import type { ReactNode } from 'react'
import { SWRConfig } from 'swr'
import { HttpError } from '../../client/http.ts'
import { GlobalStyle } from '../../ui/global-style.tsx'
import { from, space, withMotion } from '../../ui/theme.ts'
import { Toaster } from '../../ui/toast/toaster.tsx'
import { leaveSignedOutPage } from '../account/account.ts'
import { Confirmation } from '../forms/confirmation.tsx'
import { themeStyles } from '../look.ts'
import { pollAfterFailure } from '../requests/polling.ts'
import { belowTopBar } from './top-bar.tsx'

/** Fetching: never stale, no refetch on focus, no polling unless set, never retried before the next poll. */
const fetching = {
  use: [pollAfterFailure],
  revalidateOnFocus: false,
  revalidateOnReconnect: false,
  revalidateIfStale: false,
  shouldRetryOnError: false,
  onError: (error: unknown, key: string) => {
    if (error instanceof HttpError && error.status === 401) leaveSignedOutPage(key)
  },
}

/** If the system chooses the colours, all backgrounds are the same: a selected element has its own pair of colours. */
const chosenInForcedColours = {
  '@media (forced-colors: active)': {
    '[aria-current], [data-within], [aria-pressed=true], [aria-selected=true], label:has(:checked)': {
      forcedColorAdjust: 'none',
      background: 'Highlight !important',
      '&, & *': { color: 'HighlightText !important' },
    },
  },
} as const

/** Controls that are small for a mouse are large enough for a thumb. */
const forThumbs = {
  '@media (pointer: coarse)': {
    'summary, label:has(> input[type=checkbox])': {
      minHeight: '2.75rem',
      alignContent: 'center',
      alignItems: 'center',
    },
    'input[type=checkbox] + label': { paddingBlock: '0.625rem' },
    'input[type=checkbox]:has(+ label)': { marginTop: '0.75rem' },
  },
} as const

/** A ring that spills over no neighbour, and a little motion, unless less of it is wanted. Tooltips wait by a transition. */
const ringAndMotion = {
  ':focus-visible': { outlineWidth: 2, outlineOffset: 1 },
  'li > :is(a, button):focus-visible': { outlineOffset: -2 },
  '@keyframes arrive': { from: { translate: '0 0.375rem' } },
  [withMotion]: {
    '[popover]:popover-open, main aside, dialog[open]': { animation: 'arrive 160ms ease-out' },
    'li, a, button': { transition: 'background-color 120ms' },
  },
  '@media (prefers-reduced-motion: reduce)': {
    '*:not(:root), *::before, *::after': { animation: 'none !important', transition: 'none !important' },
  },
} as const

/** The height of a toast: on a low window it covers some of the content below it rather than leave the window. */
const TOAST_HEIGHT = '8rem'

const FOOT = 'calc(var(--bar, 0px) + 1rem)'

/**
 * Toasts show at the foot of every screen, on phones too: at the top their Undo would be far from the thumb, and they
 * would cover the names of the changed items. They are above the bar that is fixed there, and above the controls at the
 * foot (`data-foot`), such as the field for replies in a chat.
 */
const toastsAtFoot = {
  'section[aria-label^="Notifications"]': {
    inset: `auto ${space.base} ${FOOT}`,
    [from.medium]: { inset: `auto 1.5rem ${FOOT} auto` },
    '@supports (anchor-name: --foot)': {
      positionAnchor: '--foot',
      bottom: `max(${FOOT}, min(anchor(--foot top, 0px) + ${space.tight}, 100dvh - ${TOAST_HEIGHT}))`,
    },
  },
  '[data-foot]': { anchorName: '--foot' },
} as const

/** The context of all staff screens: styles, fetching, toasts. `go` leads from a toast to a screen. */
export const App = ({ children, go }: { children: ReactNode; go: (address: string) => void }) => (
  <SWRConfig value={fetching}>
    <GlobalStyle />
    <Global styles={[themeStyles, ringAndMotion, chosenInForcedColours, forThumbs, toastsAtFoot, belowTopBar]} />
    {children}
    <Confirmation />
    <Toaster go={go} />
  </SWRConfig>
)
