import { agency } from '../content/agency.ts'
import { LogoMark } from './logo-mark.tsx'
import { belowWide, from, unseen } from './theme.ts'
import { tipAbove } from './tooltip.ts'

const brief = {
  overflow: 'hidden',
  textOverflow: 'ellipsis',
  whiteSpace: 'nowrap',
  // letters that reach below the line are not cut
  paddingBottom: '0.125em',
  [belowWide]: unseen,
} as const

/**
 * The agency's mark and name. `isBrief` hides the name except in wide windows and truncates it there if space is short.
 */
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
