type Bounds = { periodMs?: number; maxEntries?: number }

/**
 * Values by key. Each is dropped between one and two periods after its last use, or earlier if there would be more than
 * `maxEntries`. No call searches for old values. A Map whose oldest entry is deleted for each new one has gaps at its
 * front, and each search for the oldest steps over all of them.
 */
export const openRecent = <Value>({
  periodMs = Number.POSITIVE_INFINITY,
  maxEntries = Number.POSITIVE_INFINITY,
}: Bounds) => {
  /** The values used since the current period began at `since`, and those used in the period before. */
  let recent = new Map<string, Value>()
  let earlier = new Map<string, Value>()
  let since = 0

  const turn = (now: number) => {
    if (now - since < periodMs && recent.size < maxEntries / 2) return
    earlier = recent
    recent = new Map()
    since = now
  }

  const get = (key: string, now = 0): Value | undefined => {
    turn(now)
    const known = recent.get(key)
    if (known !== undefined) return known
    const value = earlier.get(key)
    if (value !== undefined) recent.set(key, value)
    return value
  }

  const set = (key: string, value: Value, now = 0): void => {
    turn(now)
    recent.set(key, value)
  }

  return {
    /** The number of entries in memory: a value that is in use may have two. */
    get size() {
      return recent.size + earlier.size
    },
    /** Returns the value of a key. `now` is in milliseconds. */
    get,
    set,
    /** Returns the value of a key, or a new one from `make` if there is none. */
    find: (key: string, now: number, make: () => Value): Value => {
      const known = get(key, now)
      if (known !== undefined) return known
      const value = make()
      set(key, value, now)
      return value
    },
    delete: (key: string): void => {
      recent.delete(key)
      earlier.delete(key)
    },
    clear: (): void => {
      recent.clear()
      earlier.clear()
    },
  }
}
