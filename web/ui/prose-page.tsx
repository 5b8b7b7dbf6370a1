import type { ReactNode } from 'react'
import { PublicPage } from './public-page.tsx'
import { colour, space, type } from './theme.ts'

/** A public page of one column: a title, a sentence under it, and what there is to read or do. */
export const ProsePage = (props: { title: string; intro: ReactNode; children?: ReactNode }) => (
  <PublicPage>
    <div css={{ maxWidth: '46rem', minHeight: '60vh', margin: '0 auto', padding: `${space.vast} ${space.roomy}` }}>
      <h1 css={{ fontSize: type.display, lineHeight: 1.04, letterSpacing: '-0.035em' }}>{props.title}</h1>
      <p css={{ margin: `${space.base} 0 ${space.wide}`, color: colour.soft, fontSize: type.lead }}>{props.intro}</p>
      {props.children}
    </div>
  </PublicPage>
)
