import { useEffect, useState } from 'react'
import { colour, space, type } from '../../ui/theme.ts'
import { prefilledWhatsapp } from '../parts/prefilled-whatsapp.ts'

/** After this long, a waiting visitor is offered another way. */
const OFFER_AFTER_MS = 10_000

/** Shows why the visitor has to wait, and soon another way to reach us. */
export const Connecting = ({ waiting, draft }: { waiting: string | undefined; draft: string }) => {
  const [isLong, setIsLong] = useState(false)
  const isWaiting = waiting !== undefined
  useEffect(() => {
    setIsLong(false)
    if (!isWaiting) return
    const timer = setTimeout(() => setIsLong(true), OFFER_AFTER_MS)
    return () => clearTimeout(timer)
  }, [isWaiting])
  return (
    <p
      role="status"
      css={{
        flex: 'none',
        padding: isWaiting ? `0 ${space.base} ${space.tight}` : 0,
        color: colour.soft,
        fontSize: type.small,
      }}
    >
      {waiting}
      {isWaiting && isLong && (
        <>
          {' '}
          <a href={prefilledWhatsapp(draft || 'Hi! I have a question.')} target="_blank" rel="noreferrer">
            Message us on WhatsApp
          </a>
        </>
      )}
    </p>
  )
}
