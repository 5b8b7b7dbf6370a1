/** As many frames, or milliseconds, of one turn of the event loop go to frames. */
const MAX_FRAMES = 64
const MAX_MS = 5

/**
 * Shares the event loop between the frames of all sockets and everything else that a node does. Frames that find no room
 * in a turn of the loop go on in the next one, in the order in which they came.
 */
export const openFrameTurns = () => {
  const waiting: (() => void)[] = []
  let hasBegun = false
  let left = 0
  let endsAt = 0

  const begin = () => {
    hasBegun = true
    left = MAX_FRAMES
    endsAt = performance.now() + MAX_MS
    setImmediate(() => {
      hasBegun = false
      if (waiting.length > 0) goOn()
    })
  }

  const goOn = () => {
    if (!hasBegun) begin()
    while (waiting.length > 0 && left > 0 && performance.now() < endsAt) {
      left -= 1
      waiting.shift()?.()
    }
  }

  return {
    /** Calls `handle` once there is room, and returns what it does. */
    run: <T>(handle: () => Promise<T>): Promise<T> =>
      new Promise((resolve) => {
        waiting.push(() => resolve(handle()))
        goOn()
      }),
  }
}
