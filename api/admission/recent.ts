/**
 * Values by caller, each dropped some time after its last use: between one and two periods, or earlier if there would
 * be more than `most`. Nothing is searched for old values, so that a flood of callers makes no call dearer.
 */
export const openRecent = <Value>(periodMs: number, most = Number.POSITIVE_INFINITY) => {
  /** The values used since then, and those used in the period before. */
  let recent = new Map<string, Value>()
  let earlier = new Map<string, Value>()
  let since = Number.NEGATIVE_INFINITY
  return {
    /** The number of entries in memory: a value that is in use may have two. */
    get size() {
      return recent.size + earlier.size
    },
    /** The caller's value at this time in milliseconds; a new one by `make` if there is none. */
    find: (who: string, now: number, make: () => Value): Value => {
      if (now - since >= periodMs || recent.size >= most / 2) {
        earlier = recent
        recent = new Map()
        since = now
      }
      const known = recent.get(who)
      if (known !== undefined) return known
      const value = earlier.get(who) ?? make()
      recent.set(who, value)
      return value
    },
  }
}
