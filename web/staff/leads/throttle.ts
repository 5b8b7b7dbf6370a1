/**
 * Runs `act` at once, and not again within `gapMs`: requests during that time run it once, at the gap's end. `stop`
 * drops a pending run.
 */
export const coalesce = (act: () => void, gapMs: number) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isAsked = false
  const run = () => {
    isAsked = false
    timer = setTimeout(() => {
      timer = undefined
      if (isAsked) run()
    }, gapMs)
    act()
  }
  return {
    ask: () => {
      if (timer) isAsked = true
      else run()
    },
    stop: () => {
      clearTimeout(timer)
      timer = undefined
      isAsked = false
    },
  }
}
