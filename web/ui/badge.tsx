import type { ReactNode } from 'react'
import { colour, radius, space, type } from './theme.ts'

/** A highlighted word or two next to a title or a price. */
export const Badge = ({ children }: { children: ReactNode }) => (
  <span
    css={{
      padding: `0.125rem ${space.tight}`,
      borderRadius: radius.control,
      background: colour.clayWash,
      color: colour.clay,
      fontSize: type.small,
      fontWeight: 700,
      whiteSpace: 'nowrap',
    }}
  >
    {children}
  </span>
)
