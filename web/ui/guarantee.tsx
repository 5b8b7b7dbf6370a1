import { useSite } from '../content/site-context.ts'
import { CheckIcon } from './icons.tsx'
import { colour, radius, space } from './theme.ts'

export const Guarantee = () => {
  const { guarantee } = useSite().company
  if (!guarantee) return null
  return (
    <p
      id="guarantee"
      css={{
        display: 'flex',
        gap: space.snug,
        maxWidth: '44rem',
        marginTop: space.roomy,
        padding: `${space.base} ${space.roomy}`,
        borderRadius: radius.card,
        background: colour.clayWash,
        overflowWrap: 'anywhere',
        '& svg': { flex: 'none', marginTop: '0.3em', color: colour.clay },
      }}
    >
      <CheckIcon />
      <span>
        <b>Our guarantee.</b> {guarantee}
      </span>
    </p>
  )
}
