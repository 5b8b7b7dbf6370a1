import { SERVICES } from '../../content/home.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Section } from '../../ui/section.tsx'
import { from, space } from '../../ui/theme.ts'
import { ArtefactCard } from './artefact-card.tsx'

export const Services = () => (
  <Section
    id="services"
    title="Everything a website needs, from one place"
    intro="We take care of the domain, design, hosting and getting you found on Google."
  >
    <ul
      css={{
        display: 'grid',
        gap: space.base,
        [from.medium]: {
          gap: space.roomy,
          gridTemplateColumns: 'repeat(2, 1fr)',
          '& > :first-of-type': { gridColumn: 'span 2' },
        },
        [from.large]: {
          gridTemplateColumns: 'repeat(6, 1fr)',
          '& > *': { gridColumn: 'span 2' },
          '& > :first-of-type, & > :nth-of-type(2)': { gridColumn: 'span 3' },
        },
      }}
    >
      {SERVICES.map(({ name, text, artefact }) => (
        <ArtefactCard key={name} level="h3" name={name} text={text} artefact={artefact} />
      ))}
    </ul>
    <p css={{ marginTop: space.roomy }}>
      <ButtonLink look="outline" href="#portfolio">
        See three sites we built
      </ButtonLink>
    </p>
  </Section>
)
