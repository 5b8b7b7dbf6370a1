import type { ReactNode } from 'react'
import { colour, frame, from, space, type } from './theme.ts'

/**
 * A section of a public page with its heading and an optional sentence. With `offset` they stand next to the content if
 * there is room.
 */
export const Section = (props: {
  id: string
  title: ReactNode
  intro?: ReactNode
  ground?: 'paper' | 'sunk'
  layout?: 'stacked' | 'offset'
  children: ReactNode
}) => {
  const headingId = `${props.id}-title`
  const isOffset = props.layout === 'offset'
  return (
    <section
      id={props.id}
      aria-labelledby={headingId}
      css={{ background: props.ground === 'sunk' ? colour.sunk : colour.paper }}
    >
      <div
        data-reveal=""
        css={{
          ...frame,
          display: 'grid',
          gap: 'clamp(1.5rem, 3vw, 2.25rem)',
          paddingBlock: space.vast,
          '& > *': { minWidth: 0 },
          ...(isOffset && { [from.large]: { gridTemplateColumns: '25rem 1fr', gap: space.broad } }),
        }}
      >
        <div css={isOffset && { [from.large]: { position: 'sticky', top: '7rem', alignSelf: 'start' } }}>
          <h2 id={headingId} css={{ maxWidth: '46rem', fontSize: type.heading }}>
            {props.title}
          </h2>
          {props.intro && (
            <p
              css={{
                maxWidth: '38rem',
                marginTop: space.snug,
                color: colour.soft,
                fontSize: type.lead,
                textWrap: 'balance',
              }}
            >
              {props.intro}
            </p>
          )}
        </div>
        <div>{props.children}</div>
      </div>
    </section>
  )
}
