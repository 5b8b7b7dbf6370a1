import { agency } from '../content/agency.ts'
import { belowWide, colour, from, unseen } from './theme.ts'
import { tipAbove } from './tooltip.ts'

/** The agency's mark: a koppie and the sun over it. The same drawing is in `public/favicon.svg`. */
const LogoMark = () => (
  <svg viewBox="0 0 28 28" width="32" height="32" aria-hidden="true" css={{ flex: 'none' }}>
    <rect width="28" height="28" rx="7" fill={colour.accent} />
    <circle cx="19" cy="9.5" r="4" fill={colour.sun} />
    <path d="M0 21 7.5 13h5l4.5 4.8 2.6-2.6h2.2L28 21a7 7 0 0 1-7 7H7a7 7 0 0 1-7-7z" fill="#fff" />
  </svg>
)

const brief = {
  overflow: 'hidden',
  textOverflow: 'ellipsis',
  whiteSpace: 'nowrap',
  // letters that reach below the line are not cut
  paddingBottom: '0.125em',
  [belowWide]: unseen,
} as const

/** The agency's mark and name. `isBrief` hides the name except in wide windows and truncates it there. */
export const Logo = ({ href, isBrief = false }: { href: string; isBrief?: boolean }) => (
  <a
    href={href}
    {...(isBrief && { 'data-tip': agency().name })}
    css={{
      ...(isBrief && tipAbove),
      display: 'inline-flex',
      alignItems: 'center',
      gap: '0.625rem',
      minWidth: 0,
      color: 'inherit',
      fontWeight: 700,
      fontSize: '1rem',
      [from.medium]: { fontSize: '1.0625rem' },
      lineHeight: 1.15,
      letterSpacing: '-0.015em',
      textDecoration: 'none',
      ':hover': { color: 'inherit' },
    }}
  >
    <LogoMark />
    {isBrief ? <span css={brief}>{agency().name}</span> : agency().name}
  </a>
)
