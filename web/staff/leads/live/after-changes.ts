import { useEffect, useEffectEvent } from 'react'
import { followLeads } from './stream.ts'

/**
 * The delay after a change of a lead before its consequences are requested: the views may be a moment behind each
 * other.
 */
const SETTLE_MS = 1_000

/**
 * Calls `act` soon after leads have changed, with `hasQuarantine` flagged ones too: once for all changes during that
 * time, and after the stream has opened.
 */
export const useAfterLeadChanges = (act: () => void, { hasQuarantine = false } = {}) => {
  const actNow = useEffectEvent(act)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const refresh = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        actNow()
      }, SETTLE_MS)
    }
    const leave = followLeads({ onOpen: refresh, onLeads: refresh, ...(hasQuarantine && { onQuarantine: refresh }) })
    return () => {
      leave()
      clearTimeout(timer)
    }
  }, [hasQuarantine])
}
