import { useEffect, useEffectEvent } from 'react'
import { followLeads } from '../live/stream.ts'
import { throttle } from '../live/throttle.ts'

const REFRESH_GAP_MS = 1_000

/** Calls `refresh` when the quarantine changes, at most once a second. */
export const useQuarantineChanges = (refresh: () => void) => {
  const refreshNow = useEffectEvent(refresh)
  useEffect(() => {
    const refreshing = throttle(() => refreshNow(), REFRESH_GAP_MS)
    const leave = followLeads({ onOpen: refreshing.ask, onQuarantine: refreshing.ask })
    return () => {
      leave()
      refreshing.stop()
    }
  }, [])
}
