import type { ReactNode } from 'react'
import type { IslandName, IslandProps } from '../pages/islands.ts'

// An island without props needs no word about them.
const withoutEmpty = (props: string) => (props === '{}' ? undefined : props)

/**
 * A part of a public page that hydrates on first touch or focus; everything outside stays plain HTML. Its output must
 * depend only on `props` and the agency's details, and must not use `useId`.
 */
export const Island = <Name extends IslandName>(island: {
  name: Name
  props: IslandProps<Name>
  children: ReactNode
}) => (
  <div data-island={island.name} data-props={withoutEmpty(JSON.stringify(island.props))}>
    {island.children}
  </div>
)
