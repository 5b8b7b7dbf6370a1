import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'

/** How often the load is looked at. */
const LOOK_EVERY_MS = 1_000
/** A node is idle after this many looks in a row at which it had used less than this share of a core. */
const IDLE_AFTER_LOOKS = 20
const IDLE_UP_TO = 0.05
/** An idle node stays idle below this share, so that it does not change all the time. */
const BUSY_FROM = 0.15

/**
 * Imported first by a node, for its effect: V8's flags follow the load.
 *
 * While a node is idle V8 returns memory: it treats the process as a browser does a tab in the background, and collects
 * garbage once the heap is a third larger than the live objects of the last collection, not twice as large or more. By
 * itself it waits until hardly anything is allocated, and the timers of an unused node are too much for that. 5,000
 * joined, silent chats took 29 kB per socket, and take 12 this way. It costs one or two collections, each with a pause of
 * some 0.2 s, on a node that is idle.
 *
 * It also drops compiled code, so a pause of some seconds does not count as idle, and a node that is not idle leaves the
 * rest to V8: at 500 messages a second after such pauses a message took 14 % less of the nodes' time, and no node
 * had a major collection in three seconds, instead of 0.7 of them. A smaller young generation (--max-semi-space-size of 4,
 * 8 or 16) only made collections more frequent.
 */
let quietLooks = 0
let seen = performance.eventLoopUtilization()

const look = () => {
  const { utilization } = performance.eventLoopUtilization(seen)
  seen = performance.eventLoopUtilization()
  const wasIdle = quietLooks >= IDLE_AFTER_LOOKS
  quietLooks = utilization < (wasIdle ? BUSY_FROM : IDLE_UP_TO) ? quietLooks + 1 : 0
  const isIdle = quietLooks >= IDLE_AFTER_LOOKS
  if (isIdle === wasIdle) return
  setFlagsFromString(`--heap-growing-percent=${isIdle ? 30 : 0}`)
  setFlagsFromString(isIdle ? '--optimize-for-size' : '--no-optimize-for-size')
}
setInterval(look, LOOK_EVERY_MS).unref()
