import { useEffect, useEffectEvent } from 'react'
import { unstable_serialize as keyOf, type Middleware, useSWRConfig } from 'swr'
import { unstable_serialize as listKeyOf, type SWRInfiniteKeyLoader } from 'swr/infinite'

/** How often shown data are fetched again, in ms; never unless set. */
export const POLL_MS = {
  never: 0,
  /** Names, figures and other data that seldom change. */
  seldom: 60_000,
  /** Lists and settings. */
  lists: 30_000,
  /** Chats and leads that wait for staff. */
  waiting: 10_000,
  /** Lists that staff watch. */
  watched: 5_000,
  /** An email that is about to be sent. */
  sending: 3_000,
  /** Work with visible progress. */
  progress: 500,
} as const

export type Poll = keyof typeof POLL_MS

/** The parts of a screen that show data whose last fetch failed, by its key: the first one polls for all. */
const pollers = new Map<string, Set<() => Promise<unknown>>>()

/** Polls until the returned function is called; waits for a response that takes longer than the interval. */
const poll = (key: string, fetchAgain: () => Promise<unknown>, everyMs: number) => {
  const pollersOfKey = pollers.get(key) ?? new Set()
  pollers.set(key, pollersOfKey.add(fetchAgain))
  let isUnderWay = false
  const timer = setInterval(async () => {
    const [first] = pollersOfKey
    if (first !== fetchAgain || isUnderWay) return
    isUnderWay = true
    await fetchAgain()
    isUnderWay = false
  }, everyMs)
  return () => {
    clearInterval(timer)
    pollersOfKey.delete(fetchAgain)
    if (pollersOfKey.size === 0) pollers.delete(key)
  }
}

/** Continues polling after a failure: SWR itself does not poll while it has an error. */
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
