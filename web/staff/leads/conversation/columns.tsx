import type { ReactNode } from 'react'
import { space } from '../../../ui/theme.ts'

/** Room for the thread and 320 px of properties. */
const wide = '@container (min-width: 50rem)'

/** No such room. */
export const narrow = '@container (max-width: 49.99rem)'

/**
 * The thread of a lead with its properties and facts at the right; without that room the properties come before it
 * and the facts after it.
 */
export const Columns = (props: Record<'properties' | 'thread' | 'facts', ReactNode>) => (
  <div css={{ containerType: 'inline-size' }}>
    <div
      css={{
        display: 'grid',
        gap: space.roomy,
        gridTemplateColumns: 'minmax(0, 1fr)',
        [wide]: {
          gridTemplateColumns: 'minmax(0, 1fr) 20rem',
          gridTemplateRows: 'auto 1fr',
          gridTemplateAreas: '"thread properties" "thread facts"',
        },
      }}
    >
      <div css={{ minWidth: 0, [wide]: { gridArea: 'properties' } }}>{props.properties}</div>
      <div
        css={{
          display: 'flex',
          flexDirection: 'column',
          gap: space.snug,
          minWidth: 0,
          [wide]: { gridArea: 'thread', minHeight: 'calc(100dvh - var(--top, 0px) - 2rem)' },
        }}
      >
        {props.thread}
      </div>
      <div
        css={{ display: 'grid', alignContent: 'start', gap: space.roomy, minWidth: 0, [wide]: { gridArea: 'facts' } }}
      >
        {props.facts}
      </div>
    </div>
  </div>
)
