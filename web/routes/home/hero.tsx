import { STATISTICS } from '../../content/home.ts'
import { Island } from '../../pages/island.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { CheckIcon } from '../../ui/icons.tsx'
import { colour, from, radius, shadow, space, type } from '../../ui/theme.ts'
import { HeroForm } from './hero-form.tsx'

const PROMISES = [
  'R1,499 in place of the usual R5,000',
  'Domain, hosting and e-mail with Professional and Premium',
  'A reply within 2 hours during business hours',
]

const Figures = () => (
  <dl
    css={{
      display: 'grid',
      gridTemplateColumns: '1fr 1fr',
      maxWidth: '76rem',
      margin: '0 auto',
      padding: `0 ${space.roomy}`,
      [from.medium]: { gridTemplateColumns: 'repeat(3, 1fr)' },
      [from.large]: { gridTemplateColumns: 'repeat(6, 1fr)' },
    }}
  >
    {STATISTICS.map(({ figure, label }) => (
      <div
        key={label}
        css={{
          display: 'flex',
          flexDirection: 'column-reverse',
          justifyContent: 'flex-end',
          padding: `${space.roomy} ${space.base} ${space.roomy} 0`,
        }}
      >
        <dt css={{ color: colour.soft, fontSize: type.small }}>{label}</dt>
        <dd css={{ fontSize: type.step, fontWeight: 700, letterSpacing: '-0.015em' }}>{figure}</dd>
      </div>
    ))}
  </dl>
)

/** What the agency does, in one screen, with the form for a free consultation. */
export const Hero = () => (
  <section aria-labelledby="hero-title">
    <div
      css={{
        display: 'grid',
        gap: space.broad,
        maxWidth: '76rem',
        margin: '0 auto',
        padding: `${space.broad} ${space.roomy}`,
        [from.large]: { gridTemplateColumns: '1fr 25rem', alignItems: 'center', gap: '5rem', paddingBlock: '5rem' },
      }}
    >
      <div>
        <h1 id="hero-title" css={{ fontSize: type.display, lineHeight: 1.04, letterSpacing: '-0.035em' }}>
          A website that brings your business customers
        </h1>
        <p css={{ maxWidth: '34rem', marginTop: space.roomy, color: colour.soft, fontSize: type.lead }}>
          We design, build and host websites for small businesses in all of South Africa. Live in 2-14 days, from R999.
        </p>
        <ul css={{ display: 'grid', gap: space.snug, marginTop: space.wide }}>
          {PROMISES.map((promise) => (
            <li
              key={promise}
              css={{ display: 'flex', gap: space.snug, '& svg': { marginTop: '0.2em', color: colour.accent } }}
            >
              <CheckIcon />
              {promise}
            </li>
          ))}
        </ul>
        <p css={{ display: 'flex', flexWrap: 'wrap', gap: space.snug, marginTop: space.wide }}>
          <ButtonLink look="outline" href="#pricing">
            See packages and prices
          </ButtonLink>
          <ButtonLink look="outline" href="#portfolio">
            See our work
          </ButtonLink>
        </p>
      </div>
      <div
        css={{
          padding: space.roomy,
          border: `1px solid ${colour.line}`,
          borderRadius: radius.card,
          background: colour.sheet,
          boxShadow: shadow.card,
          [from.medium]: { padding: '2rem' },
        }}
      >
        <h2 css={{ fontSize: type.step }}>Book a free consultation</h2>
        <p css={{ margin: `${space.tight} 0 ${space.roomy}`, color: colour.soft, fontSize: type.small }}>
          Tell us how to reach you. No obligation, and no charge.
        </p>
        <Island name="hero-form" props={{}}>
          <HeroForm />
        </Island>
      </div>
    </div>
    <div css={{ borderBlock: `1px solid ${colour.line}` }}>
      <Figures />
    </div>
  </section>
)
