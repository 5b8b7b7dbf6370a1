const LOCK = 'staff-console'

/** Lets other tabs of this browser know that a console is open in this one; returns the function that ends it. */
export const noteOpenConsole = (): (() => void) => {
  const closing = new AbortController()
  const { signal } = closing
  const untilClosed = () => new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
  navigator.locks?.request(LOCK, { mode: 'shared' }, () => (signal.aborted ? undefined : untilClosed()))
  return () => closing.abort()
}

/** Whether a console is open in a tab of this browser: it notifies of each message at once, by itself. */
export const isConsoleOpen = async (): Promise<boolean> => {
  const { held = [] } = (await navigator.locks?.query()) ?? {}
  return held.some(({ name }) => name === LOCK)
}
