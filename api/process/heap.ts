import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'

/** How often the load of the last interval is looked at, and the shares of a core that decide (event loop utilization). */
const LOOK_EVERY_MS = 1_000
/** An idle node stays idle below BUSY_FROM, so that it does not change all the time. */
const IDLE_UP_TO = 0.05
const BUSY_FROM = 0.15
/** Above this share, frequent collections would cost more than their memory is worth. */
const LOADED_FROM = 0.3

/**
 * Imported first by a node, for its effect: V8's flags follow the load.
 *
 * As long as a node is not loaded, V8 collects garbage once the heap is a third larger than the live objects of the last
 * collection, not twice as large or more: its objects live long and it allocates little. Under load it would collect all
 * the time, with a quarter of a node's processor time, so V8 decides by itself.
 *
 * While a node is idle V8 returns memory: it treats the process as a browser does a tab in the background. By itself it
 * waits until hardly anything is allocated, and the timers of an unused node are too much for that. 5,000 joined,
 * silent chats took 29 kB per socket, and take 12 this way. It costs one or two collections, each with a pause of some
 * 0.2 s, on a node that is idle.
 */
let isIdle = false
let seen = performance.eventLoopUtilization()

const look = () => {
  const { utilization } = performance.eventLoopUtilization(seen)
  seen = performance.eventLoopUtilization()
  isIdle = utilization < (isIdle ? BUSY_FROM : IDLE_UP_TO)
  setFlagsFromString(`--heap-growing-percent=${utilization < LOADED_FROM ? 30 : 0}`)
  setFlagsFromString(isIdle ? '--optimize-for-size' : '--no-optimize-for-size')
}
setInterval(look, LOOK_EVERY_MS).unref()
