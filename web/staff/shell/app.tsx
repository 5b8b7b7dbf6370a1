import { Global } from '@emotion/react'
import type { ReactNode } from 'react'
import { SWRConfig } from 'swr'
import { HttpError } from '../../client/http.ts'
import { GlobalStyle } from '../../ui/global-style.tsx'
import { from, space } from '../../ui/theme.ts'
import { Toaster } from '../../ui/toast/toaster.tsx'
import { leaveSignedOutPage } from '../account.ts'
import { Confirmation } from '../confirmation.tsx'
import { pollAfterFailure } from '../polling.ts'

/**
 * Fetching as the specification has it (7): never stale, no refetch on focus, no polling unless set, never retried before
 * the next poll.
 */
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

/** Where the system chooses the colours all grounds are the same: what is chosen has its own pair of them. */
const chosenInForcedColours = {
  '@media (forced-colors: active)': {
    '[aria-current], [data-within], [aria-pressed=true], [aria-selected=true], label:has(:checked)': {
      forcedColorAdjust: 'none',
      background: 'Highlight !important',
      '&, & *': { color: 'HighlightText !important' },
    },
  },
} as const

/** What is small for a mouse is large enough for a thumb. */
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

/** What a notice needs: on a low window it covers some of what it stands above, rather than leave the window. */
const NOTICE_HEIGHT = '8rem'

const FOOT = 'calc(var(--bar, 0px) + 1rem)'

/**
 * Notices show at the foot of every screen, on phones too, where the specification (9) has them at the top: there the
 * thumb is far from their Undo, and they cover the names of what was acted on. They stand above the bar that is fixed
 * there, and above what is acted by at the foot (`data-foot`), such as the field in which staff answer a chat.
 */
const noticesAtFoot = {
  'section[aria-label^="Notifications"]': {
    inset: `auto ${space.base} ${FOOT}`,
    [from.medium]: { inset: `auto 1.5rem ${FOOT} auto` },
    '@supports (anchor-name: --foot)': {
      positionAnchor: '--foot',
      bottom: `max(${FOOT}, min(anchor(--foot top, 0px) + ${space.tight}, 100dvh - ${NOTICE_HEIGHT}))`,
    },
  },
  '[data-foot]': { anchorName: '--foot' },
} as const

/** What all staff screens stand in: styles, fetching, notices. `go` leads from a notice to a screen. */
export const App = ({ children, go }: { children: ReactNode; go: (address: string) => void }) => (
  <SWRConfig value={fetching}>
    <GlobalStyle />
    <Global styles={[chosenInForcedColours, forThumbs, noticesAtFoot]} />
    {children}
    <Confirmation />
    <Toaster go={go} />
  </SWRConfig>
)
