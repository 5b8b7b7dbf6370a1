import { keyframes } from '@emotion/react'
import { withMotion } from './theme.ts'

const turn = keyframes({ to: { rotate: '360deg' } })

/** A decorative progress sign; the text next to it says the same. */
export const Spinner = () => (
  <svg
    viewBox="0 0 24 24"
    width="1.125em"
    height="1.125em"
    fill="none"
    stroke="currentColor"
    strokeWidth="3"
    strokeLinecap="round"
    aria-hidden="true"
    css={{ flex: 'none', [withMotion]: { animation: `${turn} 800ms linear infinite` } }}
  >
    <circle cx="12" cy="12" r="9" opacity="0.3" />
    <path d="M12 3a9 9 0 0 1 9 9" />
  </svg>
)
