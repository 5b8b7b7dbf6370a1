import type { ReactNode } from 'react'
import { from, space } from '../../ui/theme.ts'

/** What is known of a lead beside what happened with it; one below the other where there is no room. */
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
