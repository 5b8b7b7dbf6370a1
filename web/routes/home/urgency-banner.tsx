import { OFFER, offerRuns } from '../../content/offer.ts'
import { colour, space, type } from '../../ui/theme.ts'

/** Says that an offer ends soon, as long as it runs. Boot takes it out of a page that was built before the offer's end. */
export const UrgencyBanner = () =>
  offerRuns(Date.now()) && (
    <p
      data-until={OFFER.until}
      css={{
        padding: `${space.tight} ${space.roomy}`,
        background: colour.accent,
        color: colour.onAccent,
        fontSize: type.small,
        fontWeight: 600,
        textAlign: 'center',
        '& a': { color: 'inherit' },
      }}
    >
      {OFFER.text}. {OFFER.ends}. <a href="#pricing">See the prices</a>
    </p>
  )
