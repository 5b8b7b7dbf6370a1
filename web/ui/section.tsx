import type { ReactNode } from 'react'
import { colour, space, type } from './theme.ts'

/** A section of a public page with its heading and, where it needs one, a sentence under it. */
export const Section = (props: {
  id?: string
  title: string
  intro?: string
  ground?: 'paper' | 'sunk'
  children: ReactNode
}) => {
  const headingId = `${props.id ?? props.title.toLowerCase().replace(/\W+/g, '-')}-title`
  return (
    <section
      id={props.id}
      aria-labelledby={headingId}
      css={{ background: props.ground === 'sunk' ? colour.sunk : colour.paper }}
    >
      <div data-reveal="" css={{ maxWidth: '76rem', margin: '0 auto', padding: `${space.vast} ${space.roomy}` }}>
        <h2 id={headingId} css={{ maxWidth: '38rem', fontSize: type.heading }}>
          {props.title}
        </h2>
        {props.intro && (
          <p css={{ maxWidth: '38rem', marginTop: space.snug, color: colour.soft, fontSize: type.lead }}>
            {props.intro}
          </p>
        )}
        <div css={{ marginTop: space.wide }}>{props.children}</div>
      </div>
    </section>
  )
}
