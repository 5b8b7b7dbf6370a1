import type { ReactNode } from 'react'
import { from, space } from '../../ui/theme.ts'

/** The facts about a lead next to its events; one below the other if there is no room. */
export const Columns = ({ children }: { children: ReactNode }) => (
  <div
    css={{
      display: 'grid',
      gap: space.roomy,
      alignItems: 'start',
      marginTop: space.roomy,
      gridTemplateColumns: 'minmax(0, 1fr)',
      [from.large]: { gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 1fr)' },
    }}
  >
    {children}
  </div>
)
