import { Global } from '@emotion/react'
import { useClaimingTexts } from '../../content/claims.ts'
import { TRADES } from '../../content/preview.ts'
import { FEATURES, WHATS_INCLUDED } from '../../content/project.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { CheckIcon } from '../../ui/icons.tsx'
import { PublicPage } from '../../ui/public-page.tsx'
import { Section } from '../../ui/section.tsx'
import { colour, frame, from, space, type } from '../../ui/theme.ts'
import { Unbroken } from '../../ui/unbroken.tsx'
import { ArtefactCard } from '../home/artefact-card.tsx'

/** The description of a website project with the agency, for visitors who come by a link (/yourwebsiteproject). */
export const Project = () => {
  const read = useClaimingTexts()
  return (
    <PublicPage>
      {/* without a preview the search result is the first trade's */}
      <Global styles={{ [`[class*=for-]:not(.for-${TRADES[0].id})`]: { display: 'none' } }} />
      <div
        css={{
          ...frame,
          paddingBlock: space.broad,
          [from.large]: { paddingTop: '5rem' },
        }}
      >
        <h1 css={{ maxWidth: '46rem', fontSize: type.display }}>Your website project</h1>
        <p
          css={{ maxWidth: '34rem', margin: `${space.roomy} 0 ${space.wide}`, color: colour.soft, fontSize: type.lead }}
        >
          One team designs, builds and hosts your website. You tell us about your business; we take care of the rest.
        </p>
        <ButtonLink href="/#contact">Get Your Quote</ButtonLink>
        <ul
          css={{
            display: 'grid',
            gap: space.roomy,
            marginTop: space.broad,
            [from.medium]: { gridTemplateColumns: '1fr 1fr' },
            [from.large]: { gridTemplateColumns: 'repeat(4, 1fr)' },
          }}
        >
          {FEATURES.map(({ name, text, artefact }) => (
            <ArtefactCard key={name} level="h2" name={name} text={text} artefact={artefact} />
          ))}
        </ul>
      </div>
      <Section id="included" ground="sunk" title="What's included">
        <ul css={{ display: 'grid', [from.medium]: { gridTemplateColumns: '1fr 1fr', columnGap: space.broad } }}>
          {WHATS_INCLUDED.flatMap((point) => read(point) ?? []).map((point) => (
            <li
              key={point}
              css={{
                display: 'flex',
                gap: space.snug,
                padding: `${space.snug} 0`,
                borderTop: `1px solid ${colour.line}`,
                '& svg': { marginTop: '0.2em', color: colour.accent },
              }}
            >
              <CheckIcon />
              <span>
                <Unbroken>{point}</Unbroken>
              </span>
            </li>
          ))}
        </ul>
        <p css={{ display: 'flex', flexWrap: 'wrap', gap: space.snug, marginTop: space.wide }}>
          <ButtonLink href="/#contact">Get Your Quote</ButtonLink>
          <ButtonLink href="/#pricing" look="outline">
            See packages and prices
          </ButtonLink>
        </p>
      </Section>
    </PublicPage>
  )
}
