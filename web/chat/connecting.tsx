import { useEffect, useState } from 'react'
import { colour, space, type } from '../ui/theme.ts'
import { offerWhatsapp } from './offer.ts'

/** A connection that is away for longer than this is no longer waited for alone. */
const OFFER_AFTER_MS = 10_000

/** Says that there is no connection (specification, 8), and soon another way to reach us. */
export const Connecting = ({ isConnected, draft }: { isConnected: boolean; draft: string }) => {
  const [isLong, setIsLong] = useState(false)
  useEffect(() => {
    setIsLong(false)
    if (isConnected) return
    const timer = setTimeout(() => setIsLong(true), OFFER_AFTER_MS)
    return () => clearTimeout(timer)
  }, [isConnected])
  return (
    <p
      role="status"
      css={{
        flex: 'none',
        padding: isConnected ? 0 : `0 ${space.base} ${space.tight}`,
        color: colour.soft,
        fontSize: type.small,
      }}
    >
      {!isConnected && 'Connecting to chat...'}
      {!isConnected && isLong && (
        <>
          {' '}
          <a href={offerWhatsapp(draft || 'Hi! I have a question.')} target="_blank" rel="noreferrer">
            Write to us on WhatsApp
          </a>
        </>
      )}
    </p>
  )
}
