import { promiseOf } from '../../content/home.ts'
import { soldIn, useSite } from '../../content/site-context.ts'
import { actions, ButtonLink } from '../../ui/button.tsx'
import { Horizon } from '../../ui/horizon.tsx'
import { Island } from '../../ui/island.tsx'
import { colour, frame, from, panel, shadow, space, type } from '../../ui/theme.ts'
import { Unbroken } from '../../ui/unbroken.tsx'
import { Figures } from './figures.tsx'
import { HeroForm } from './hero-form.tsx'
import { Preview } from './preview.tsx'

const Consultation = () => (
  <div
    id="consultation"
    css={{
      display: 'grid',
      gap: space.roomy,
      ...panel,
      padding: space.inset,
      boxShadow: shadow.card,
      [from.large]: { gridTemplateColumns: '15rem 1fr', gap: space.broad },
    }}
  >
    <div>
      <h2 css={{ fontSize: '1.625rem' }}>Book a free consultation</h2>
      <p css={{ marginTop: space.tight, color: colour.soft }}>
        Leave your details and we’ll call you. Free, no obligation.
      </p>
    </div>
    <Island name="hero-form" props={{}}>
      <HeroForm />
    </Island>
  </div>
)

/** The first screen: the promise, a preview of the visitor's own site, and the form for a free consultation. */
export const Hero = () => (
  <section
    aria-labelledby="hero-title"
    css={{ background: `linear-gradient(${colour.paper}, ${colour.clayWash} 40rem)` }}
  >
    <div
      css={{
        ...frame,
        display: 'grid',
        gap: space.base,
        gridTemplate: '"title" "preview" "words"',
        paddingBlock: `${space.roomy} ${space.base}`,
        [from.medium]: {
          gridTemplate: '"title preview" "words preview" / 1fr 1fr',
          columnGap: space.wide,
          paddingTop: space.wide,
        },
        [from.large]: { gridTemplateColumns: '1fr minmax(0, 31rem)', columnGap: '4rem', paddingTop: '3rem' },
      }}
    >
      <h1 id="hero-title" css={{ gridArea: 'title', alignSelf: 'end', fontSize: type.display }}>
        A website that brings your business customers
      </h1>
      <Preview />
      <div css={{ gridArea: 'words', display: 'grid', alignContent: 'start', gap: space.roomy }}>
        <p css={{ maxWidth: '32rem', color: colour.soft, fontSize: type.lead }}>
          <Unbroken>{promiseOf(soldIn(useSite()))}</Unbroken>
        </p>
        {/* on a phone they are on the first screen */}
        <p css={{ ...actions, order: -1, [from.medium]: { order: 0 } }}>
          <ButtonLink href="#consultation">Get a free consultation</ButtonLink>
          <ButtonLink look="outline" href="#pricing">
            See packages and prices
          </ButtonLink>
        </p>
      </div>
    </div>
    <Horizon />
    <div css={{ ...frame, paddingBottom: space.broad }}>
      <Consultation />
    </div>
    <Figures />
  </section>
)
