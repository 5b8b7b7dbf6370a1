import { promiseOf } from '../../content/home.ts'
import { soldIn, useSite } from '../../content/site.ts'
import { actions, ButtonLink } from '../../ui/button.tsx'
import { Horizon } from '../../ui/horizon.tsx'
import { StopwatchIcon } from '../../ui/icons.tsx'
import { Island } from '../../ui/island.tsx'
import { colour, frame, from, panel, shadow, space, type } from '../../ui/theme.ts'
import { Unbroken } from '../../ui/unbroken.tsx'
import { Figures } from './figures.tsx'
import { HeroForm } from './hero-form.tsx'
import { Preview } from './preview.tsx'

/** Shown until the page has been measured, and if it cannot be; as long as the measurement's text. */
const UNMEASURED = 'This page weighs less than a single photo on your phone.'

const Proof = () => (
  <p
    css={{
      display: 'flex',
      gap: space.tight,
      minHeight: '3lh',
      [from.medium]: { minHeight: '2lh' },
      marginTop: space.roomy,
      color: colour.clay,
      fontSize: type.small,
      fontWeight: 600,
      fontVariantNumeric: 'tabular-nums',
      textWrap: 'balance',
      '& svg': { marginTop: '0.1em' },
    }}
  >
    <StopwatchIcon />
    <span data-proof="">{UNMEASURED}</span>
  </p>
)

/** The form for a free consultation, below the horizon. */
const Consultation = () => (
  <div
    id="consultation"
    css={{
      display: 'grid',
      gap: space.roomy,
      padding: space.roomy,
      ...panel,
      boxShadow: shadow.card,
      [from.medium]: { padding: '2rem' },
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

/**
 * The first screen: what the agency does, a preview of the visitor's own site, and the form for a free consultation.
 */
export const Hero = () => (
  <section
    aria-labelledby="hero-title"
    css={{ background: `linear-gradient(${colour.paper}, ${colour.clayWash} 40rem)` }}
  >
    <div
      css={{
        ...frame,
        display: 'grid',
        gap: space.roomy,
        paddingBlock: `${space.wide} ${space.roomy}`,
        [from.medium]: { gridTemplateColumns: '1fr 1fr', alignItems: 'center', gap: space.wide },
        [from.large]: { gridTemplateColumns: '1fr minmax(0, 31rem)', gap: '4rem', paddingTop: '3rem' },
      }}
    >
      <div>
        <h1 id="hero-title" css={{ fontSize: type.display }}>
          A website that brings your business customers
        </h1>
        <p
          css={{ maxWidth: '32rem', margin: `${space.base} 0 ${space.roomy}`, color: colour.soft, fontSize: type.lead }}
        >
          <Unbroken>{promiseOf(soldIn(useSite()))}</Unbroken>
        </p>
        <p css={actions}>
          <ButtonLink href="#consultation">Get a free consultation</ButtonLink>
          <ButtonLink look="outline" href="#pricing">
            See packages and prices
          </ButtonLink>
        </p>
        <Proof />
      </div>
      <Preview />
    </div>
    <Horizon />
    <div css={{ ...frame, paddingBottom: space.broad }}>
      <Consultation />
    </div>
    <Figures />
  </section>
)
