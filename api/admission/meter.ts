import { openRecent } from '../../events/base/recent.ts'
import type { Rate } from './limits.ts'
import type { SharedCount } from './shared-count.ts'

/** The maximum number of callers in a meter's memory. Beyond it those that were not used for longest are dropped and counted in Redis alone. */
export const MAX_REMEMBERED = 200_000

type Counted = Rate & { readonly shared: SharedCount }

/**
 * A caller's points of one rate on this node: those that it may use without Redis (`left`), those on credit that are
 * not drawn yet (`onCredit`), and all since the window began (`total`). Times are those of performance.now().
 */
type Window = {
  readonly rate: Counted
  readonly endsAt: number
  left: number
  onCredit: number
  total: number
  /** When Redis has room again. */
  fullUntil: number
  drawing: Promise<number> | undefined
}

const openWindow = (rate: Counted, now: number): Window => {
  const credit = rate.lease ?? 0
  const endsAt = now + rate.windowS * 1_000
  return { rate, endsAt, left: credit, onCredit: credit, total: credit, fullUntil: 0, drawing: undefined }
}

/** Draws the next points of a window. Returns 0, or the milliseconds until there is room again. */
const draw = async (caller: string, window: Window): Promise<number> => {
  const { points, lease = 1, shared } = window.rate
  const now = performance.now()
  const fullUntil = window.total + lease > points ? window.endsAt : window.fullUntil
  if (fullUntil > now) return Math.max(1, fullUntil - now)
  window.total += lease
  const waitMs = await shared.draw(caller, window.onCredit + lease)
  if (waitMs > 0) {
    window.total -= lease
    window.fullUntil = performance.now() + waitMs
    return waitMs
  }
  window.onCredit = 0
  window.left += lease
  return 0
}

/** The same, once for all that wait for a lease. */
const drawOnce = (caller: string, window: Window): Promise<number> => {
  if (window.rate.lease === undefined) return draw(caller, window)
  window.drawing ??= draw(caller, window).finally(() => {
    window.drawing = undefined
  })
  return window.drawing
}

/** Takes a point of each window, one after the other, until one has none. */
const takeInTurn = async (caller: string, windows: Window[]): Promise<number> => {
  for (const window of windows) {
    while (window.left === 0) {
      const waitMs = await drawOnce(caller, window)
      if (waitMs > 0) return waitMs
    }
    window.left -= 1
  }
  return 0
}

const hasPoint = ({ left }: Window) => left > 0

/** Counts the callers of one limit by one dimension. */
export type Meter = ReturnType<typeof openMeter>

/**
 * Opens a meter of these rates. It counts on this node and over all nodes, and never refuses because Redis is away.
 *
 * A rate without a `lease` asks Redis for each point. For one with a lease a node draws that many at once and gives them
 * out from memory; the first ones are on credit and are drawn together with the second ones, so that occasional callers
 * cost no call to Redis. A caller may therefore get up to `lease` points too many on each node. Points that a node has
 * drawn and not used expire with the window: other callers may be refused up to `lease - 1` points early per node.
 */
export const openMeter = (rates: readonly Counted[]) => {
  const longestMs = Math.max(...rates.map(({ windowS }) => windowS)) * 1_000
  /** The windows of each caller, in the order of `rates`. */
  const callers = openRecent<Window[]>({ periodMs: longestMs, maxEntries: MAX_REMEMBERED })

  /** The caller's windows; those that are over begin again. */
  const windowsOf = (caller: string): Window[] => {
    const now = performance.now()
    const windows = callers.find(caller, now, () => rates.map((rate) => openWindow(rate, now)))
    for (const [index, { rate, endsAt }] of windows.entries()) {
      if (endsAt <= now) windows[index] = openWindow(rate, now)
    }
    return windows
  }

  return {
    /** The number of entries in memory, one or two per caller. */
    get size() {
      return callers.size
    },
    /**
     * Takes a point of each rate. Returns 0, or the milliseconds until there is room again; a promise if this node's
     * memory does not have all of them.
     */
    take: (caller: string): 0 | Promise<number> => {
      const windows = windowsOf(caller)
      if (!windows.every(hasPoint)) return takeInTurn(caller, windows)
      for (const window of windows) window.left -= 1
      return 0
    },
    /** Returns a point of each rate. Rejects if one has a lease: leased points cannot be returned. */
    refund: async (caller: string): Promise<void> => {
      const returned = windowsOf(caller).map((window) => {
        if (window.rate.lease !== undefined) throw new Error('Leased points cannot be returned')
        window.total = Math.max(0, window.total - 1)
        window.fullUntil = 0
        return window.rate.shared.refund(caller)
      })
      await Promise.all(returned)
    },
  }
}
