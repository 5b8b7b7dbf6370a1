/** How often a watchdog looks, within its patience. */
const LOOKS = 10

/** Watches one piece of work after the other. */
export type Watchdog = {
  begin: () => void
  /** The work goes on: its time begins again. */
  progress: () => void
  end: () => void
  stop: () => void
}

/**
 * Calls `onHang` where a piece of work has neither ended nor made progress for `patienceMs`. When that answers false, the
 * time until then does not count; when it answers true, the watch is over. `isStillHanging` tells whether the work has
 * come no further while `onHang` asked for other things.
 */
export const watch = (
  patienceMs: number,
  onHang: (hangingMs: number, isStillHanging: () => boolean) => Promise<boolean>,
): Watchdog => {
  let since: number | undefined
  let isAsking = false

  const look = async () => {
    const begun = since
    if (isAsking || begun === undefined) return
    const hangingMs = performance.now() - begun
    if (hangingMs < patienceMs) return
    isAsking = true
    try {
      const isOver = await onHang(hangingMs, () => since === begun)
      if (isOver) clearInterval(timer)
      else if (since === begun) since = performance.now()
    } finally {
      isAsking = false
    }
  }

  const timer = setInterval(look, patienceMs / LOOKS)
  timer.unref()
  const begin = () => {
    since = performance.now()
  }
  return {
    begin,
    progress: () => {
      if (since !== undefined) begin()
    },
    end: () => {
      since = undefined
    },
    stop: () => clearInterval(timer),
  }
}
