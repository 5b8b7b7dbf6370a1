import { colour } from './theme.ts'

/** The agency's mark: a koppie and the sun over it. The same drawing is in `public/favicon.svg`. */
export const LogoMark = () => (
  <svg viewBox="0 0 28 28" width="32" height="32" aria-hidden="true" css={{ flex: 'none' }}>
    <rect width="28" height="28" rx="7" fill={colour.accent} />
    <circle cx="19" cy="9.5" r="4" fill={colour.sun} />
    <path d="M0 21 7.5 13h5l4.5 4.8 2.6-2.6h2.2L28 21a7 7 0 0 1-7 7H7a7 7 0 0 1-7-7z" fill="#fff" />
  </svg>
)
