import { agency } from '../../content/agency.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { PhoneIcon } from '../../ui/icons.tsx'
import { colour, from, space, type } from '../../ui/theme.ts'

/** The last call to action before the contact section, with a telephone link (specification, 2). */
export const FinalCall = () => (
  <section aria-labelledby="final-call-title" css={{ background: colour.accentDeep, color: colour.onAccent }}>
    <div
      data-reveal=""
      css={{
        display: 'grid',
        gap: space.wide,
        maxWidth: '76rem',
        margin: '0 auto',
        padding: `${space.broad} ${space.roomy}`,
        [from.large]: { gridTemplateColumns: '1fr auto', alignItems: 'center', paddingBlock: '4.5rem' },
      }}
    >
      <div>
        <h2 id="final-call-title" css={{ fontSize: type.heading }}>
          Your next customer is looking for you now
        </h2>
        <p css={{ maxWidth: '38rem', marginTop: space.snug, fontSize: type.lead }}>
          Call us, or send us a few lines. You get a reply within 2 hours during business hours, and a website in 2-14
          days, with a 100% satisfaction guarantee.
        </p>
      </div>
      <p css={{ display: 'flex', flexWrap: 'wrap', gap: space.snug }}>
        <ButtonLink look="outline" href={`tel:${agency().dial}`}>
          <PhoneIcon />
          Call {agency().phone}
        </ButtonLink>
        <ButtonLink
          href="#contact"
          css={{ borderColor: colour.onAccent, background: 'transparent', ':hover': { background: colour.accent } }}
        >
          Get a free quote
        </ButtonLink>
      </p>
    </div>
  </section>
)
