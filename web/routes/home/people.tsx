import { useSite } from '../../content/site-context.ts'
import { Face } from '../../ui/face.tsx'
import { Section } from '../../ui/section.tsx'
import { colour, space, type } from '../../ui/theme.ts'

const FACE_PX = 72

/** The staff who reply to visitors: as owners have entered them, nothing until then. */
export const People = () => {
  const { people } = useSite().showcase
  if (people.length === 0) return null
  return (
    <Section id="people" title="The people who answer you">
      <ul css={{ display: 'flex', flexWrap: 'wrap', gap: `${space.roomy} ${space.broad}` }}>
        {people.map(({ name, role, photo }) => (
          <li key={name + role} css={{ display: 'flex', alignItems: 'center', gap: space.base }}>
            <Face name={name} photo={photo} sizePx={FACE_PX} />
            <span>
              <strong css={{ display: 'block' }}>{name}</strong>
              <span css={{ color: colour.soft, fontSize: type.small }}>{role}</span>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
