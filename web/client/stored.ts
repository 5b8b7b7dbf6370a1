/**
 * A value that the tab, or the device, stores under a key as JSON; `check` returns it if it can be used. A browser that
 * refuses storage (private windows, blocked site data), or has none left, stores nothing.
 */
export const stored = <Value>(key: string, where: 'tab' | 'device', check: (value: unknown) => Value | undefined) => {
  const attempt = <Result>(work: (storage: Storage) => Result) => {
    try {
      return work(where === 'tab' ? sessionStorage : localStorage)
    } catch {
      return undefined
    }
  }
  return {
    /** The stored value; undefined if there is none, or none that can be read. */
    read: () => attempt((storage) => check(JSON.parse(storage.getItem(key) ?? 'null'))),
    keep: (value: Value) => attempt((storage) => storage.setItem(key, JSON.stringify(value))),
    discard: () => attempt((storage) => storage.removeItem(key)),
  }
}
