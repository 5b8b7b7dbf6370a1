import { agency } from '../content/agency.ts'
import { Mark } from './mark.tsx'
import { from, unseen } from './theme.ts'

/** Where the staff's screens take the room beside the mark. */
const BELOW_WIDE = '@media (max-width: 74.99rem)'

/** The agency's mark and name; `isBrief` leaves the name out of sight in all but wide windows. */
export const Logo = ({ href, isBrief = false }: { href: string; isBrief?: boolean }) => (
  <a
    href={href}
    css={{
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
    <Mark />
    {isBrief ? <span css={{ [BELOW_WIDE]: unseen }}>{agency().name}</span> : agency().name}
  </a>
)
