import type { Rate } from './limits.ts'

/** How many are remembered at most: those whose window began first are forgotten then, and counted in Redis alone. */
export const MAX_REMEMBERED = 200_000

/**
 * What one node remembers of those who have done something within a window, which begins with the first time. All windows
 * are of one length, so that what is remembered is in the order in which it ends: what is over goes as something new comes.
 */
export const openWindows = <Count extends object>(windowS: number, begin: () => Count) => {
  const all = new Map<string, Count & { endsAt: number }>()
  return {
    /** How many are remembered. */
    get size() {
      return all.size
    },
    /** Somebody's window, which ends at `endsAt`, a time of performance.now(); a new one where there is none. */
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

/** Counts by one node alone. */
export const openLocalCount = ({ points, windowS }: Rate) => {
  const windows = openWindows(windowS, () => ({ used: 0 }))
  return {
    /** Takes a point; answers 0, or when there is room again, in milliseconds. */
    take: (who: string): number => {
      const window = windows.find(who)
      window.used += 1
      return window.used > points ? Math.max(1, window.endsAt - performance.now()) : 0
    },
    /** Gives a point back. */
    giveBack: (who: string): void => {
      const window = windows.find(who)
      window.used = Math.max(0, window.used - 1)
    },
  }
}
