import { useSyncExternalStore } from 'react'
import { colour, radius, space } from '../../ui/theme.ts'

const subscribe = (onChange: () => void) => {
  const listening = new AbortController()
  addEventListener('online', onChange, { signal: listening.signal })
  addEventListener('offline', onChange, { signal: listening.signal })
  return () => listening.abort()
}

/** Whether this device has a network, by its own account. */
export const useIsOnline = () => useSyncExternalStore(subscribe, () => navigator.onLine)

/** Shows above every screen that there is no network, and what happens to text typed during that time. */
export const OfflineBanner = () => {
  const isOnline = useIsOnline()
  return (
    <div role="status">
      {!isOnline && (
        <p
          css={{
            marginBottom: space.tight,
            padding: `${space.snug} ${space.base}`,
            borderRadius: radius.card,
            background: colour.ink,
            color: colour.onInk,
          }}
        >
          You are offline. What you see may be old. What you type stays on this page: save it once you are connected
          again.
        </p>
      )}
    </div>
  )
}
