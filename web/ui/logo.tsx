import { agency } from '../content/agency.ts'
import { Mark } from './mark.tsx'
import { from } from './theme.ts'

/** The agency's mark and name. */
export const Logo = ({ href }: { href: string }) => (
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
    {agency().name}
  </a>
)
