import type { Rate } from './limits.ts'

/**
 * The maximum number of windows in memory. Beyond it the windows that began first are dropped and counted in Redis
 * alone.
 */
export const MAX_REMEMBERED = 200_000

/**
 * One node's memory of the callers that have done something within a window, which begins with the first action. All
 * windows have the same length, so the map is in the order in which they end: expired ones are dropped when a new one
 * comes.
 */
export const openWindows = <Count extends object>(windowS: number, begin: () => Count) => {
  const all = new Map<string, Count & { endsAt: number }>()
  return {
    /** The number of entries in memory. */
    get size() {
      return all.size
    },
    /** The caller's window, which ends at `endsAt`, a time of performance.now(); a new one if there is none. */
    find: (who: string): Count & { endsAt: number } => {
      const now = performance.now()
      const known = all.get(who)
      if (known && known.endsAt > now) return known
      all.delete(who)
      for (const [other, { endsAt }] of all) {
        if (endsAt > now) break
        all.delete(other)
      }
      const [first] = all.size < MAX_REMEMBERED ? [] : all.keys()
      if (first !== undefined) all.delete(first)
      const fresh = { ...begin(), endsAt: now + windowS * 1_000 }
      all.set(who, fresh)
      return fresh
    },
  }
}

/** Counts on one node alone. */
export const openLocalCount = ({ points, windowS }: Rate) => {
  const windows = openWindows(windowS, () => ({ used: 0 }))
  return {
    /** Takes a point. Returns 0, or the milliseconds until there is room again. */
    take: (who: string): number => {
      const window = windows.find(who)
      window.used += 1
      return window.used > points ? Math.max(1, window.endsAt - performance.now()) : 0
    },
    /** Returns a point. */
    refund: (who: string): void => {
      const window = windows.find(who)
      window.used = Math.max(0, window.used - 1)
    },
  }
}
