import { useSite } from '../../content/site-context.ts'
import { Section } from '../../ui/section.tsx'
import { colour, from, panel, space, type } from '../../ui/theme.ts'

/** Reviews in the customers' own words: as owners have entered them, nothing until then. */
export const Reviews = () => {
  const { reviews } = useSite().showcase
  if (reviews.length === 0) return null
  return (
    <Section id="reviews" title="What our customers say">
      <ul
        css={{
          display: 'grid',
          gap: space.roomy,
          [from.medium]: { gridTemplateColumns: 'repeat(auto-fit, minmax(18rem, 1fr))' },
        }}
      >
        {reviews.map(({ text, name }) => (
          <li key={name + text}>
            <figure
              css={{
                height: '100%',
                margin: 0,
                padding: space.roomy,
                ...panel,
              }}
            >
              <blockquote css={{ margin: 0, fontSize: type.lead }}>“{text}”</blockquote>
              <figcaption css={{ marginTop: space.base, color: colour.soft, fontSize: type.small, fontWeight: 600 }}>
                {name}
              </figcaption>
            </figure>
          </li>
        ))}
      </ul>
    </Section>
  )
}
