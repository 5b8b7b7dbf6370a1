/** A set of keys that forgets. */
export type Recent = { has: (key: string) => boolean; add: (key: string) => void; clear: () => void }

/** Remembers the last `limit` keys that it was given, and forgets the oldest. */
export const openRecent = (limit: number): Recent => {
  const keys = new Set<string>()
  return {
    has: (key: string) => keys.has(key),
    add: (key: string) => {
      keys.delete(key)
      keys.add(key)
      const [oldest] = keys
      if (keys.size > limit && oldest !== undefined) keys.delete(oldest)
    },
    clear: () => keys.clear(),
  }
}
