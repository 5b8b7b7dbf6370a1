import type { ReactNode } from 'react'
import { panel, space } from '../../ui/theme.ts'

/** A row of a list in the settings: its content, and its buttons next to it or below. */
export const PanelRow = ({ children }: { children: ReactNode }) => (
  <li
    css={{
      display: 'flex',
      flexWrap: 'wrap',
      alignItems: 'center',
      justifyContent: 'space-between',
      gap: `${space.snug} ${space.roomy}`,
      padding: space.base,
      ...panel,
    }}
  >
    {children}
  </li>
)
