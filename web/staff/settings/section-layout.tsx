import type { ReactNode } from 'react'
import { colour, from, space, type } from '../../ui/theme.ts'

/** A part of a screen with settings. On a wide window its name and purpose are next to it. */
export const SettingsSection = ({
  id,
  title,
  intro,
  children,
}: {
  id: string
  title: string
  intro: ReactNode
  children: ReactNode
}) => (
  <section
    id={id}
    aria-labelledby={`${id}-title`}
    css={{
      display: 'grid',
      gap: `${space.base} ${space.broad}`,
      marginTop: space.wide,
      paddingTop: space.wide,
      borderTop: `1px solid ${colour.line}`,
      scrollMarginTop: space.base,
      [from.large]: { gridTemplateColumns: '18rem minmax(0, 1fr)' },
    }}
  >
    <div>
      <h2 id={`${id}-title`} tabIndex={-1} css={{ fontSize: type.step, outline: 'none' }}>
        {title}
      </h2>
      <p css={{ marginTop: space.tight, color: colour.soft, fontSize: type.small }}>{intro}</p>
    </div>
    <div css={{ minWidth: 0, maxWidth: '46rem' }}>{children}</div>
  </section>
)
