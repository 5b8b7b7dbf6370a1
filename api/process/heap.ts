import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'

/**
 * Imported first by a node, for its effect: V8 looks for garbage once the heap is a third larger than what lived in it
 * last, not twice as large or more. What a node holds lives long and does little. A message takes some 4 % more
 * processor time (two cores, 200 conversations as fast as they go). A bound for the young objects as well would take 20 %.
 */
setFlagsFromString('--heap-growing-percent=30')

/** The share of a core up to which a node counts as idle, and from which on as busy; in between it stays what it was. */
const IDLE_UP_TO = 0.05
const BUSY_FROM = 0.15
const LOOK_EVERY_MS = 5_000

let isIdle = false
let seen = performance.eventLoopUtilization()

/**
 * While a node is idle V8 gives memory back: it treats the process as a browser does a tab in the background. By itself it
 * waits until hardly anything is allocated any more, and the timers of a node that nobody uses are too much for that.
 * 5,000 chats that have joined and say nothing took 29 kB a socket, and take 12 so. It takes one or two collections, of
 * which a pause is some 0.2 s, on a node that has nothing to do then.
 */
const look = () => {
  const { utilization } = performance.eventLoopUtilization(seen)
  seen = performance.eventLoopUtilization()
  if (isIdle ? utilization < BUSY_FROM : utilization > IDLE_UP_TO) return
  isIdle = !isIdle
  setFlagsFromString(isIdle ? '--optimize-for-size' : '--no-optimize-for-size')
}
setInterval(look, LOOK_EVERY_MS).unref()
