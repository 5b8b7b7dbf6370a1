import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'

/**
 * Imported first by a node, for its effect: V8 collects garbage once the heap is a third larger than the live objects
 * of the last collection, not twice as large or more. A node's objects live long and it allocates little. A message
 * takes some 4 % more processor time (two cores, 200 conversations at full speed). A limit for the young objects as
 * well would take 20 %.
 */
setFlagsFromString('--heap-growing-percent=30')

/**
 * The share of a core up to which a node counts as idle, and from which it counts as busy; in between its state does
 * not change.
 */
const IDLE_UP_TO = 0.05
const BUSY_FROM = 0.15
const LOOK_EVERY_MS = 5_000

let isIdle = false
let seen = performance.eventLoopUtilization()

/**
 * While a node is idle V8 returns memory: it treats the process as a browser does a tab in the background. By itself it
 * waits until hardly anything is allocated, and the timers of an unused node are too much for that. 5,000 joined,
 * silent chats took 29 kB per socket, and take 12 this way. It costs one or two collections, each with a pause of some
 * 0.2 s, on a node that is idle.
 */
const look = () => {
  const { utilization } = performance.eventLoopUtilization(seen)
  seen = performance.eventLoopUtilization()
  if (isIdle ? utilization < BUSY_FROM : utilization > IDLE_UP_TO) return
  isIdle = !isIdle
  setFlagsFromString(isIdle ? '--optimize-for-size' : '--no-optimize-for-size')
}
setInterval(look, LOOK_EVERY_MS).unref()
