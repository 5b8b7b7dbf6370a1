/**
 * Values by caller. Each is dropped between one and two periods after its last use, or earlier if there would be more
 * than `maxEntries`. No call searches for old values, so a flood of callers does not slow down any call.
 */
export const openRecent = <Value>(periodMs: number, maxEntries = Number.POSITIVE_INFINITY) => {
  /** The values used since the current period began at `since`, and those used in the period before. */
  let recent = new Map<string, Value>()
  let earlier = new Map<string, Value>()
  let since = Number.NEGATIVE_INFINITY
  return {
    /** The number of entries in memory: a value that is in use may have two. */
    get size() {
      return recent.size + earlier.size
    },
    /** Returns the value of a caller, or a new one from `make` if there is none. `now` is in milliseconds. */
    find: (caller: string, now: number, make: () => Value): Value => {
      if (now - since >= periodMs || recent.size >= maxEntries / 2) {
        earlier = recent
        recent = new Map()
        since = now
      }
      const known = recent.get(caller)
      if (known !== undefined) return known
      const value = earlier.get(caller) ?? make()
      recent.set(caller, value)
      return value
    },
  }
}
