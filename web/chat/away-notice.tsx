import { backAt, backInWords } from '../../events/support-hours.ts'
import { colour, space, type } from '../ui/theme.ts'
import { useNow } from './now.ts'

const LOOK_EVERY_MS = 20_000

/** Outside support hours: when someone is back, and that a message is welcome all the same. */
export const AwayNotice = () => {
  const now = useNow(LOOK_EVERY_MS)
  const back = backAt(now)
  if (!back) return null
  return (
    <p
      css={{
        flex: 'none',
        padding: `${space.tight} ${space.base}`,
        borderBottom: `1px solid ${colour.line}`,
        background: colour.accentWash,
        fontSize: type.small,
        lineHeight: 1.45,
      }}
    >
      We are back <strong css={{ fontWeight: 600 }}>{backInWords(back, now)}</strong>, South African time. Leave us a
      message.
    </p>
  )
}
