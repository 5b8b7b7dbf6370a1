import { useState, useSyncExternalStore } from 'react'
import { serverClock, serverNow } from '../client/server-time.ts'

/** Maximum age of the cached time for a new subscriber. */
const STALE_MS = 1_000

/** A clock that runs while it has subscribers; all of them see the same moment. */
const openClock = (everyMs: number) => {
  let now = serverNow()
  let timer: ReturnType<typeof setInterval> | undefined
  let stopFollowing = () => {}
  const subscribers = new Set<() => void>()
  const tick = () => {
    now = serverNow()
    for (const notify of subscribers) notify()
  }
  const isOlderThan = (ms: number) => Math.abs(serverNow().getTime() - now.getTime()) >= ms
  return {
    read: () => {
      if (timer === undefined && isOlderThan(everyMs)) now = serverNow()
      return now
    },
    subscribe: (notify: () => void) => {
      subscribers.add(notify)
      if (timer === undefined) {
        timer = setInterval(tick, everyMs)
        stopFollowing = serverClock.subscribe(tick)
      }
      if (isOlderThan(STALE_MS)) tick()
      return () => {
        subscribers.delete(notify)
        if (subscribers.size > 0) return
        clearInterval(timer)
        timer = undefined
        stopFollowing()
      }
    },
  }
}

const clocks = new Map<number, ReturnType<typeof openClock>>()

const clockOf = (everyMs: number) => {
  const clock = clocks.get(everyMs) ?? openClock(everyMs)
  clocks.set(everyMs, clock)
  return clock
}

const never = () => () => {}

/**
 * The server's current time, updated at each interval, which is 20 s unless set; null stands for the time of the
 * first render. Two components with the same interval never differ.
 */
export const useNow = (everyMs: number | null = 20_000) => {
  const [first] = useState(serverNow)
  const clock = everyMs === null ? undefined : clockOf(everyMs)
  const readFirst = () => first
  return useSyncExternalStore(clock?.subscribe ?? never, clock?.read ?? readFirst, readFirst)
}
