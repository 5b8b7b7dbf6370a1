import type { ReactNode } from 'react'
import { space, type } from '../../../ui/theme.ts'

const headingOf = (id: string) => `${id}-title`

/** Focuses a panel's heading, after the element with the focus has gone. */
export const focusPanel = (id: string) => document.getElementById(headingOf(id))?.focus()

/** A section of the lead's page, with its heading, and next to it an `action`. */
export const Panel = (props: { id: string; title: string; action?: ReactNode; children: ReactNode }) => (
  <section aria-labelledby={headingOf(props.id)} css={{ minWidth: 0 }}>
    <div css={{ display: 'flex', alignItems: 'center', justifyContent: 'space-between', marginBottom: space.hair }}>
      <h2 id={headingOf(props.id)} tabIndex={-1} css={{ fontSize: type.body, fontWeight: 600, outline: 'none' }}>
        {props.title}
      </h2>
      {props.action}
    </div>
    {props.children}
  </section>
)
