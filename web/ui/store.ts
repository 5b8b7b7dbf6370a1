/** A value that changes, and those who want to hear of it; shaped for React's `useSyncExternalStore`. */
export const createStore = <State extends object>(initial: State) => {
  let state = initial
  const listeners = new Set<() => void>()
  return {
    initial: () => initial,
    get: () => state,
    set: (change: Partial<State>) => {
      state = { ...state, ...change }
      for (const listener of listeners) listener()
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}
