/** A set of subscribers: `add` returns the function that removes one, as React's `useSyncExternalStore` expects. */
export const listenerSet = <News extends unknown[] = []>() => {
  const listeners = new Set<(...args: News) => void>()
  return {
    notify: (...args: News) => {
      for (const listener of listeners) listener(...args)
    },
    add: (listener: (...args: News) => void) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}

/** A value with subscribers, in the shape that React's `useSyncExternalStore` expects. */
export const createStore = <State extends object>(initial: State) => {
  let state = initial
  const listeners = listenerSet()
  return {
    initial: () => initial,
    get: () => state,
    set: (change: Partial<State>) => {
      state = { ...state, ...change }
      listeners.notify()
    },
    subscribe: listeners.add,
  }
}
