import type { ReactNode } from 'react'
import { panel, space, type } from '../../ui/theme.ts'

const headingOf = (id: string) => `${id}-title`

/** Focuses a panel's heading, where what had the focus is gone. */
export const focusPanel = (id: string) => document.getElementById(headingOf(id))?.focus()

/** A part of the lead's page, with its heading. */
export const Panel = ({ id, title, children }: { id: string; title: string; children: ReactNode }) => (
  <section
    aria-labelledby={headingOf(id)}
    css={{
      padding: space.roomy,
      ...panel,
    }}
  >
    <h2 id={headingOf(id)} tabIndex={-1} css={{ marginBottom: space.base, fontSize: type.step, outline: 'none' }}>
      {title}
    </h2>
    {children}
  </section>
)
