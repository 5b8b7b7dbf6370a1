/** Those who want to hear of a change: `add` answers how to stop, as React's `useSyncExternalStore` wants it. */
export const listenerSet = () => {
  const listeners = new Set<() => void>()
  return {
    tell: () => {
      for (const listener of listeners) listener()
    },
    add: (listener: () => void) => {
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
