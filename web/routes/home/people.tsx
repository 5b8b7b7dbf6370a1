import { useSite } from '../../content/site.ts'
import { Section } from '../../ui/section.tsx'
import { colour, radius, space, type } from '../../ui/theme.ts'

const FACE_PX = 72

const face = { width: FACE_PX, height: FACE_PX, flex: 'none', borderRadius: radius.round } as const

const initialsOf = (name: string) =>
  name
    .split(/\s+/)
    .map((word) => [...word][0] ?? '')
    .slice(0, 2)
    .join('')
    .toUpperCase()

const Face = ({ name, photo }: { name: string; photo: string | null }) =>
  photo ? (
    <img src={photo} alt="" width={FACE_PX} height={FACE_PX} loading="lazy" css={{ ...face, objectFit: 'cover' }} />
  ) : (
    <span
      aria-hidden="true"
      css={{
        ...face,
        display: 'grid',
        placeItems: 'center',
        background: colour.accentWash,
        color: colour.accentDeep,
        fontWeight: 700,
      }}
    >
      {initialsOf(name)}
    </span>
  )

/** Who answers: as owners have entered it, nothing until then. */
export const People = () => {
  const { people } = useSite().showcase
  if (people.length === 0) return null
  return (
    <Section id="people" title="The people who answer you">
      <ul css={{ display: 'flex', flexWrap: 'wrap', gap: `${space.roomy} ${space.broad}` }}>
        {people.map(({ name, role, photo }) => (
          <li key={name + role} css={{ display: 'flex', alignItems: 'center', gap: space.base }}>
            <Face name={name} photo={photo} />
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
