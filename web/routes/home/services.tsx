import { SERVICES } from '../../content/home.ts'
import { Section } from '../../ui/section.tsx'
import { colour, from, space, type } from '../../ui/theme.ts'

/** What the agency does, by name. */
export const Services = () => (
  <Section
    id="services"
    title="Everything a website needs, from one place"
    intro="You run your business. We see to the name, the pages, the hosting and being found."
  >
    <dl>
      {SERVICES.map(({ name, text }) => (
        <div
          key={name}
          css={{
            display: 'grid',
            gap: space.hair,
            padding: `${space.base} 0`,
            borderTop: `1px solid ${colour.line}`,
            [from.medium]: { gridTemplateColumns: '1fr 2fr', gap: space.wide, padding: `1.25rem 0` },
          }}
        >
          <dt css={{ fontSize: type.step, fontWeight: 700, letterSpacing: '-0.015em', lineHeight: 1.3 }}>{name}</dt>
          <dd css={{ maxWidth: '40rem', color: colour.soft, fontSize: type.lead }}>{text}</dd>
        </div>
      ))}
    </dl>
  </Section>
)
