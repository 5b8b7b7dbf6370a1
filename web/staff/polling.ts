import { useEffect, useEffectEvent } from 'react'
import { unstable_serialize as keyOf, type Middleware, useSWRConfig } from 'swr'
import { unstable_serialize as listKeyOf, type SWRInfiniteKeyLoader } from 'swr/infinite'

/** The parts of a screen that show something whose last fetch failed, by its key: the first one polls for all. */
const pollers = new Map<string, Set<() => Promise<unknown>>>()

/** Polls until the returned function is called; an answer that takes longer than the interval is waited for. */
const poll = (key: string, fetchAgain: () => Promise<unknown>, everyMs: number) => {
  const those = pollers.get(key) ?? new Set()
  pollers.set(key, those.add(fetchAgain))
  let isUnderWay = false
  const timer = setInterval(async () => {
    const [first] = those
    if (first !== fetchAgain || isUnderWay) return
    isUnderWay = true
    await fetchAgain()
    isUnderWay = false
  }, everyMs)
  return () => {
    clearInterval(timer)
    those.delete(fetchAgain)
    if (those.size === 0) pollers.delete(key)
  }
}

/**
 * Keeps everything that has a `refreshInterval` polling after a failure: SWR itself polls no more as long as it holds an
 * error.
 */
export const pollAfterFailure: Middleware = (useNext) => (key, fetcher, config) => {
  const fetched = useNext(key, fetcher, config)
  const { isVisible, isOnline } = useSWRConfig()
  const { refreshInterval = 0, refreshWhenHidden } = config
  const name = typeof key === 'function' ? listKeyOf(key as SWRInfiniteKeyLoader) : keyOf(key)
  const everyMs = typeof refreshInterval === 'function' ? refreshInterval(fetched.data) : refreshInterval
  const hasFailed = everyMs > 0 && fetched.error !== undefined
  const fetchAgain = useEffectEvent(async () => {
    if ((refreshWhenHidden || isVisible()) && isOnline()) await fetched.mutate().catch(() => {})
  })
  useEffect(() => (hasFailed ? poll(name, () => fetchAgain(), everyMs) : undefined), [hasFailed, name, everyMs])
  return fetched
}
