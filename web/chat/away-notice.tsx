import { useEffect, useState } from 'react'
import { backAt, backInWords, DEFAULT_SUPPORT_HOURS, type SupportHours } from '../../events/support-hours.ts'
import { colour, space, type } from '../ui/theme.ts'
import { useNow } from './now.ts'

const LOOK_EVERY_MS = 20_000

let known: SupportHours = DEFAULT_SUPPORT_HOURS

/** The hours as the agency has set them by now; until the answer comes, those that were known before. */
const useSupportHours = () => {
  const [hours, setHours] = useState(known)
  useEffect(() => {
    const leaving = new AbortController()
    fetch('/api/support-hours', { signal: leaving.signal })
      .then(async (response) => {
        if (!response.ok) return
        known = await response.json()
        setHours(known)
      })
      .catch(() => {})
    return () => leaving.abort()
  }, [])
  return hours
}

/** Outside support hours: when someone is back, and that a message is welcome all the same. */
export const AwayNotice = () => {
  const now = useNow(LOOK_EVERY_MS)
  const back = backAt(now, useSupportHours())
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
