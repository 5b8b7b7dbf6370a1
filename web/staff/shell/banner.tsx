import type { ReactNode } from 'react'
import { colour, radius, space, thumbLink } from '../../ui/theme.ts'

/** A banner above a screen while there is a problem that staff have to know of: one line, with one action. */
export const Banner = ({ title, children }: { title: string; children: ReactNode }) => (
  <div
    role="alert"
    css={{
      display: 'flex',
      flexWrap: 'wrap',
      alignItems: 'baseline',
      gap: `0 ${space.snug}`,
      marginBottom: space.tight,
      padding: `${space.tight} ${space.snug}`,
      borderRadius: radius.card,
      background: colour.badWash,
      '& > a': thumbLink,
    }}
  >
    <p css={{ color: colour.bad, fontWeight: 600 }}>{title}</p>
    {children}
  </div>
)
