import type { ReactNode } from 'react'
import { colour, radius, space } from '../../ui/theme.ts'

/** A banner above a screen while there is a problem that staff have to know of: the problem, and the remedy. */
export const Banner = ({ title, children }: { title: string; children: ReactNode }) => (
  <div
    role="alert"
    css={{
      display: 'flex',
      flexWrap: 'wrap',
      alignItems: 'baseline',
      gap: `${space.hair} ${space.base}`,
      marginBottom: space.roomy,
      padding: `${space.base} ${space.roomy}`,
      borderRadius: radius.card,
      background: colour.badWash,
    }}
  >
    <p css={{ color: colour.bad, fontWeight: 600 }}>{title}</p>
    {children}
  </div>
)
