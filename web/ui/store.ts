/** Those who want to hear of something: `add` answers how to stop, as React's `useSyncExternalStore` wants it. */
export const listenerSet = <News extends unknown[] = []>() => {
  const listeners = new Set<(...news: News) => void>()
  return {
    tell: (...news: News) => {
      for (const listener of listeners) listener(...news)
    },
    add: (listener: (...news: News) => void) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}

/** A value that changes, and those who want to hear of it; shaped for React's `useSyncExternalStore`. */
export const createStore = <State extends object>(initial: State) => {
  let state = initial
  const listeners = listenerSet()
  return {
    initial: () => initial,
    get: () => state,
    set: (change: Partial<State>) => {
      state = { ...state, ...change }
      listeners.tell()
    },
    subscribe: listeners.add,
  }
}
