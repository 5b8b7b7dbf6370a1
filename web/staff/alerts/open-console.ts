const LOCK = 'staff-console'

/** Lets other tabs of this browser know that a console is open in this one; returns what ends that. */
export const noteOpenConsole = (): (() => void) => {
  const closing = new AbortController()
  const { signal } = closing
  const untilClosed = () => new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
  navigator.locks?.request(LOCK, { mode: 'shared' }, () => (signal.aborted ? undefined : untilClosed()))
  return () => closing.abort()
}

/** Whether a console is open in a tab of this browser: it tells of each message at once, by itself. */
export const isConsoleOpen = async (): Promise<boolean> => {
  const { held = [] } = (await navigator.locks?.query()) ?? {}
  return held.some(({ name }) => name === LOCK)
}
