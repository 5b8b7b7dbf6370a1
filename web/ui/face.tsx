import { initialsOf } from './initials.ts'
import { colour, radius } from './theme.ts'

/** A person of the agency: their photo or initials, shown next to their name. */
export const Face = ({ name, photo, sizePx }: { name: string; photo: string | null; sizePx: number }) => {
  const round = { width: sizePx, height: sizePx, flex: 'none', borderRadius: radius.round } as const
  return photo ? (
    <img src={photo} alt="" width={sizePx} height={sizePx} loading="lazy" css={{ ...round, objectFit: 'cover' }} />
  ) : (
    <span
      aria-hidden="true"
      css={{
        ...round,
        display: 'grid',
        placeItems: 'center',
        background: colour.accentWash,
        // its background may equal that of its surroundings
        boxShadow: `inset 0 0 0 1px ${colour.edge}`,
        color: colour.accentDeep,
        fontSize: sizePx * 0.36,
        fontWeight: 700,
        lineHeight: 1,
      }}
    >
      {initialsOf(name)}
    </span>
  )
}
