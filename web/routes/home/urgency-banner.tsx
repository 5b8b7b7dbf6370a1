import { useSite } from '../../content/site-context.ts'
import { colour, space, type } from '../../ui/theme.ts'

const dayInFull = new Intl.DateTimeFormat('en-ZA', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })

/** Announces that an offer ends soon, as long as it runs. */
export const UrgencyBanner = () => {
  const { offer } = useSite()
  if (!offer) return null
  return (
    <p
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
      {offer.text}. The offer ends {dayInFull.format(new Date(offer.lastDay))}. <a href="#pricing">See the prices</a>
    </p>
  )
}
