import { useEffect, useEffectEvent } from 'react'
import type { Lead } from '../../../../events/lead/wire.ts'
import { followLeads } from './stream.ts'
import { throttle } from './throttle.ts'

const REFRESH_GAP_MS = 1_000

/**
 * Calls `refresh`, at most once a second, when the stream of leads opens, and for changes for which `onLeads` or
 * `onQuarantine` returns true. With `isFetched` a stream that is open already is no reason.
 */
export const useLeadRefresh = (
  refresh: () => void,
  on: { onOpen?: () => void; onLeads?: (fresh: Lead[]) => boolean; onQuarantine?: () => boolean; isFetched?: boolean },
) => {
  const { isFetched = false } = on
  const refreshNow = useEffectEvent(refresh)
  const opened = useEffectEvent(() => on.onOpen?.())
  const changed = useEffectEvent((fresh: Lead[]) => on.onLeads?.(fresh))
  const flagged = useEffectEvent(() => on.onQuarantine?.())
  useEffect(() => {
    const refreshing = throttle(() => refreshNow(), REFRESH_GAP_MS)
    let isReason = !isFetched
    const leave = followLeads({
      onOpen: () => {
        opened()
        if (isReason) refreshing.ask()
      },
      onLeads: (fresh) => changed(fresh) && refreshing.ask(),
      onQuarantine: () => flagged() && refreshing.ask(),
    })
    isReason = true
    return () => {
      leave()
      refreshing.stop()
    }
  }, [isFetched])
}
