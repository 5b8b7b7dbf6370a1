import type { ReactNode } from 'react'
import { space, type } from '../../../ui/theme.ts'

const headingOf = (id: string) => `${id}-title`

/** Focuses a panel's heading, after the element with the focus has gone. */
export const focusPanel = (id: string) => document.getElementById(headingOf(id))?.focus()

/** A section of the lead's page, with its heading. */
export const Panel = (props: { id: string; title: string; children: ReactNode }) => (
  <section aria-labelledby={headingOf(props.id)} css={{ minWidth: 0 }}>
    <h2
      id={headingOf(props.id)}
      tabIndex={-1}
      css={{ marginBottom: space.hair, fontSize: type.body, fontWeight: 600, outline: 'none' }}
    >
      {props.title}
    </h2>
    {props.children}
  </section>
)
