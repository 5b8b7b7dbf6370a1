import type { ReactNode } from 'react'
import { colour, from, space, type } from '../ui/theme.ts'

/**
 * A part of a screen with settings. On a wide window its name and purpose are next to it; above it if it `isStacked`.
 */
export const SettingsSection = ({
  id,
  title,
  intro,
  isStacked = false,
  children,
}: {
  id: string
  title: string
  intro: ReactNode
  isStacked?: boolean
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
      ...(isStacked
        ? {
            // below the row that stays in sight
            scrollMarginTop: '4.5rem',
            [from.large]: { scrollMarginTop: 0 },
            '&:first-of-type': { marginTop: 0, paddingTop: 0, border: 0 },
          }
        : { [from.large]: { gridTemplateColumns: '18rem minmax(0, 1fr)' } }),
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
