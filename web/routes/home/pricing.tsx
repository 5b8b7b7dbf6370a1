import { termInWords } from '../../content/home.ts'
import { type ShownPackage, soldIn, usePackages, useSite } from '../../content/site-context.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Guarantee } from '../../ui/guarantee.tsx'
import { PackagePrice } from '../../ui/package-price.tsx'
import { Section } from '../../ui/section.tsx'
import { colour, from, panel, radius, shadow, space, type } from '../../ui/theme.ts'
import { Unbroken } from '../../ui/unbroken.tsx'

// A character, not a drawing: a drawing on each line would weigh as much as the text next to it.
const ticked = {
  display: 'grid',
  gap: space.tight,
  lineHeight: 1.4,
  '& > li': { paddingLeft: '1.75rem', textIndent: '-1.75rem' },
  '& > li::before': {
    content: '"✓" / ""',
    display: 'inline-block',
    width: '1.75rem',
    color: colour.clay,
    textIndent: 0,
  },
} as const

/** Across the top edge of the card, so that it moves nothing in it. */
const advised = {
  position: 'absolute',
  top: 0,
  left: space.inset,
  translate: '0 -50%',
  padding: `0.125rem ${space.tight}`,
  borderRadius: radius.control,
  background: colour.accent,
  color: colour.onAccent,
  fontSize: type.small,
  fontWeight: 600,
} as const

const PackageCard = ({ offer }: { offer: ShownPackage }) => {
  const isFavourite = offer.id === 'professional'
  return (
    <li
      css={{
        position: 'relative',
        display: 'grid',
        alignContent: 'start',
        ...panel,
        padding: space.inset,
        // The content next to the price.
        [from.medium]: {
          gridTemplateColumns: '1fr 1fr',
          columnGap: space.wide,
          '& > :nth-child(3)': { gridArea: '1 / 2 / 5', border: 0, paddingTop: 0 },
        },
        [from.large]: {
          gridTemplateColumns: 'none',
          '& > :nth-child(3)': { gridArea: 'auto', borderTop: `1px solid ${colour.line}`, paddingTop: space.roomy },
          gridTemplateRows: 'subgrid',
          gridRow: 'span 5',
          rowGap: 0,
        },
        ...(isFavourite && {
          borderColor: colour.accent,
          outline: `1px solid ${colour.accent}`,
          boxShadow: shadow.floating,
        }),
      }}
    >
      <div>
        <h3 css={{ fontSize: '1.5rem' }}>{offer.name}</h3>
        {isFavourite && <p css={advised}>Recommended</p>}
        <p css={{ marginTop: space.tight, color: colour.soft }}>{offer.forWhom}</p>
      </div>
      <div css={{ paddingBlock: space.base }}>
        <PackagePrice offer={offer} leads="month" />
      </div>
      <div css={{ paddingTop: space.base, borderTop: `1px solid ${colour.line}` }}>
        {offer.includes && <p css={{ marginBottom: space.snug, fontWeight: 700 }}>{offer.includes}</p>}
        <ul css={ticked}>
          {offer.features.map((feature) => (
            <li key={feature}>
              <Unbroken>{feature}</Unbroken>
            </li>
          ))}
        </ul>
      </div>
      <p
        css={{
          paddingBlock: space.base,
          color: colour.soft,
          fontSize: type.small,
          textWrap: 'balance',
        }}
      >
        {offer.delivery}
      </p>
      <ButtonLink href={`/contract/${offer.id}`} look={isFavourite ? 'solid' : 'outline'}>
        Choose {offer.name}
      </ButtonLink>
    </li>
  )
}

/** The packages with their prices; each links to its contract. */
export const Pricing = () => (
  <Section id="pricing" ground="sunk" title="Clear prices, before you call" intro={termInWords(soldIn(useSite()))}>
    <ul css={{ display: 'grid', gap: space.roomy, [from.large]: { gridTemplateColumns: 'repeat(3, 1fr)' } }}>
      {usePackages().map((offer) => (
        <PackageCard key={offer.id} offer={offer} />
      ))}
    </ul>
    <Guarantee />
  </Section>
)
