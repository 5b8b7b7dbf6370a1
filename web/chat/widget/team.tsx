import { Face } from '../../ui/face.tsx'
import { colour, space, type } from '../../ui/theme.ts'

/** A member of the team, as owners have entered them; `photo` is an address. */
export type Teammate = { name: string; photo: string | null }

export const MAX_FACES = 3

const HEADER_FACE_PX = 34

const namesFormat = new Intl.ListFormat('en-ZA', { type: 'conjunction' })

/** The faces of the team next to the chat's title, each partly over the one before. */
export const TeamFaces = ({ team }: { team: readonly Teammate[] }) => (
  <span css={{ display: 'flex', flex: 'none', marginRight: space.tight }}>
    {team.map(({ name, photo }, index) => (
      <span
        key={name}
        css={{
          marginLeft: index > 0 ? -10 : 0,
          border: `2px solid ${colour.ink}`,
          borderRadius: '50%',
        }}
      >
        <Face name={name} photo={photo} sizePx={HEADER_FACE_PX} />
      </span>
    ))}
  </span>
)

/** The names of the team, at the beginning of a chat. */
export const TeamLine = ({ team }: { team: readonly Teammate[] }) => {
  const names = team.map(({ name }) => name.split(/\s+/)[0] ?? name)
  return (
    <p css={{ fontSize: type.small, lineHeight: 1.4, overflowWrap: 'anywhere' }}>
      <strong css={{ fontWeight: 600 }}>{namesFormat.format(names)}</strong> {names.length > 1 ? 'reply' : 'replies'}{' '}
      here
    </p>
  )
}
