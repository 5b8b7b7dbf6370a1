import type { ReactNode } from 'react'
import { colour, radius, space } from '../../ui/theme.ts'

/** What is shown above a screen while something is wrong that staff have to know of: what it is, and what to do. */
export const Alarm = ({ title, children }: { title: string; children: ReactNode }) => (
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
