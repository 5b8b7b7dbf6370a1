import type { ReactNode } from 'react'
import { Horizon } from './horizon.tsx'
import { PublicPage } from './public-page.tsx'
import { colour, space, type } from './theme.ts'

/** A public page of one column: a title, a sentence under it, and what there is to read or do; `signed` adds the horizon. */
export const ProsePage = (props: { title: string; intro: ReactNode; signed?: boolean; children?: ReactNode }) => (
  <PublicPage signed={props.signed === true}>
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
          width: '100%',
          maxWidth: '48rem',
          margin: '0 auto',
          padding: `${space.vast} ${space.roomy} ${space.broad}`,
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
