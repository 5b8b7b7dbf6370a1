import type { ReactNode } from 'react'
import { Horizon } from './horizon.tsx'
import { PublicPage } from './public-page.tsx'
import { colour, frame, space, type } from './theme.ts'

/**
 * A public page of one column: a title, a sentence and the content. `signed` adds the horizon; `isLast` leaves out the
 * next step.
 */
export const ProsePage = (props: {
  title: ReactNode
  intro: ReactNode
  signed?: boolean
  isLast?: boolean
  children?: ReactNode
}) => (
  <PublicPage signed={props.signed === true} {...(props.isLast && { next: null })}>
    <div
      css={{
        display: 'grid',
        gridTemplateRows: '1fr auto',
        minHeight: '70vh',
        ...(props.signed && { background: `linear-gradient(${colour.paper} 45%, ${colour.clayWash})` }),
      }}
    >
      <div
        css={{
          ...frame,
          width: '100%',
          paddingBlock: `${space.vast} ${space.broad}`,
          '& > *': { maxWidth: '48rem' },
        }}
      >
        <h1 css={{ fontSize: type.display }}>{props.title}</h1>
        <p css={{ margin: `${space.base} 0 ${space.wide}`, color: colour.soft, fontSize: type.lead }}>{props.intro}</p>
        {props.children}
      </div>
      {props.signed && <Horizon />}
    </div>
  </PublicPage>
)
