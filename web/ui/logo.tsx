import { agency } from '../content/agency.ts'
import { colour, from } from './theme.ts'

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
    <svg viewBox="0 0 28 28" width="28" height="28" aria-hidden="true" css={{ flex: 'none' }}>
      <rect width="28" height="28" rx="6" fill={colour.accent} />
      <path d="M7 9.5h14M7 14h9M7 18.5h5" stroke="#fff" strokeWidth="2.5" strokeLinecap="round" />
    </svg>
    {agency().name}
  </a>
)
