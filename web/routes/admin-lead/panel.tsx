import type { ReactNode } from 'react'
import { colour, radius, space, type } from '../../ui/theme.ts'

/** A part of the lead's page, with its heading. */
export const Panel = ({ id, title, children }: { id: string; title: string; children: ReactNode }) => (
  <section
    aria-labelledby={`${id}-title`}
    css={{
      padding: space.roomy,
      border: `1px solid ${colour.line}`,
      borderRadius: radius.card,
      background: colour.sheet,
    }}
  >
    <h2 id={`${id}-title`} css={{ marginBottom: space.base, fontSize: type.step }}>
      {title}
    </h2>
    {children}
  </section>
)
