/**
 * `ask` runs `act` at once, but at most once per `gapMs`: if `ask` is called during a gap, `act` runs once at its end.
 * `stop` drops a pending run.
 */
export const throttle = (act: () => void, gapMs: number) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isRequested = false
  const run = () => {
    isRequested = false
    timer = setTimeout(() => {
      timer = undefined
      if (isRequested) run()
    }, gapMs)
    act()
  }
  return {
    ask: () => {
      if (timer) isRequested = true
      else run()
    },
    stop: () => {
      clearTimeout(timer)
      timer = undefined
      isRequested = false
    },
  }
}
