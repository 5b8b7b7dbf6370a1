import { agency } from '../../content/agency.ts'
import { actions, ButtonLink } from '../../ui/button.tsx'
import { PhoneIcon } from '../../ui/icons.tsx'
import { colour, frame, from, space, type, withBar } from '../../ui/theme.ts'

/** The last call to action before the contact section, with a telephone link. */
export const FinalCall = () => (
  <section aria-labelledby="final-call-title" css={{ background: colour.sun, color: colour.ink }}>
    <div
      data-reveal=""
      css={{
        ...frame,
        display: 'grid',
        gap: space.roomy,
        paddingBlock: space.broad,
        [from.large]: { gridTemplateColumns: '1fr auto', alignItems: 'center', gap: space.broad },
      }}
    >
      <div>
        <h2 id="final-call-title" css={{ fontSize: type.heading }}>
          Your next customer is looking for you now
        </h2>
        <p css={{ maxWidth: '38rem', marginTop: space.snug, fontSize: type.lead }}>
          You get a reply within 2 hours during business hours.
        </p>
      </div>
      <p css={actions}>
        <ButtonLink
          href={`tel:${agency().dial}`}
          css={{ background: colour.ink, ':hover:hover': { background: colour.night } }}
        >
          <PhoneIcon />
          Call {agency().phone}
        </ButtonLink>
        {/* the bar at the foot of small windows has the same */}
        <ButtonLink
          look="outline"
          href="#contact"
          css={{ background: 'transparent', borderColor: colour.ink, [withBar]: { display: 'none' } }}
        >
          Get a free quote
        </ButtonLink>
      </p>
    </div>
  </section>
)
