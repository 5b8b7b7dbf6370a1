import { type ShownPackage, usePackages } from '../../content/site.ts'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { CheckIcon } from '../../ui/icons.tsx'
import { Section } from '../../ui/section.tsx'
import { colour, from, radius, space, type } from '../../ui/theme.ts'

const PackageCard = ({ offer }: { offer: ShownPackage }) => (
  <li
    css={{
      display: 'flex',
      flexDirection: 'column',
      padding: space.roomy,
      border: `1px solid ${colour.line}`,
      borderRadius: radius.card,
      background: colour.sheet,
      [from.large]: { padding: '2rem' },
    }}
  >
    <div
      css={{
        display: 'flex',
        alignItems: 'center',
        justifyContent: 'space-between',
        gap: space.base,
        minHeight: '1.75rem',
      }}
    >
      <h3 css={{ fontSize: type.step }}>{offer.name}</h3>
      {offer.badge && <Badge>{offer.badge}</Badge>}
    </div>
    <p css={{ marginTop: space.tight, color: colour.soft, [from.large]: { minHeight: '3.2em' } }}>{offer.forWhom}</p>
    <p css={{ display: 'flex', alignItems: 'baseline', gap: space.snug, marginTop: space.roomy }}>
      <span css={{ fontSize: '2.5rem', fontWeight: 700, lineHeight: 1, letterSpacing: '-0.035em' }}>{offer.price}</span>
      {offer.before && <s css={{ color: colour.soft }}>{offer.before}</s>}
    </p>
    <p css={{ marginTop: space.hair, color: colour.soft }}>{offer.terms}</p>
    <ul
      css={{
        display: 'grid',
        gap: space.snug,
        flex: 1,
        alignContent: 'start',
        margin: `${space.roomy} 0`,
        paddingTop: space.roomy,
        borderTop: `1px solid ${colour.line}`,
      }}
    >
      {offer.features.map((feature) => (
        <li
          key={feature}
          css={{ display: 'flex', gap: space.snug, lineHeight: 1.4, '& svg': { color: colour.accent } }}
        >
          <CheckIcon />
          {feature}
        </li>
      ))}
    </ul>
    <p css={{ marginBottom: space.base, color: colour.soft, fontSize: type.small }}>{offer.delivery}</p>
    <ButtonLink href={`/contract/${offer.id}`} look={offer.id === 'professional' ? 'solid' : 'outline'}>
      Choose {offer.name}
    </ButtonLink>
  </li>
)

/** The packages with their prices; each leads to its contract (specification, 2 and 9). */
export const Pricing = () => (
  <Section
    id="pricing"
    ground="sunk"
    title="Prices you can read before you call"
    intro="Professional and Premium run for at least 12 months, then month to month, with 30 days' notice."
  >
    <ul css={{ display: 'grid', gap: space.roomy, [from.large]: { gridTemplateColumns: 'repeat(3, 1fr)' } }}>
      {usePackages().map((offer) => (
        <PackageCard key={offer.id} offer={offer} />
      ))}
    </ul>
  </Section>
)
