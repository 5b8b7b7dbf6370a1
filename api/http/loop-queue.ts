import process from 'node:process'

/** The maximum number of pieces of work, or milliseconds, in one turn of the event loop for work of one kind. */
const MAX_PIECES = 64
const MAX_MS = 5

/**
 * Shares the event loop between work of one kind, such as the frames of all sockets, and everything else that a node
 * does. Work that does not fit into a turn of the loop continues in the next one, in the order in which it came.
 */
export const openLoopQueue = () => {
  const waiting: (() => void)[] = []
  let isInTurn = false
  let isRunning = false
  let left = 0
  let endsAt = 0

  const begin = () => {
    isInTurn = true
    left = MAX_PIECES
    endsAt = performance.now() + MAX_MS
    setImmediate(() => {
      isInTurn = false
      goOn()
    })
  }

  const goOn = () => {
    isRunning = false
    if (waiting.length === 0) return
    if (!isInTurn) begin()
    if (left === 0 || performance.now() >= endsAt) return
    isRunning = true
    left -= 1
    waiting.shift()?.()
    // ticks come after all promises: what follows from the work, until it waits for others, counts too
    queueMicrotask(() => process.nextTick(goOn))
  }

  /** Calls `work`, which must not throw, when there is room. */
  const take = (work: () => void): void => {
    waiting.push(work)
    if (!isRunning) goOn()
  }

  return {
    take,
    /** Calls `work` when there is room, and returns its result. */
    run: <T>(work: () => Promise<T>): Promise<T> => new Promise((resolve) => take(() => resolve(work()))),
  }
}
