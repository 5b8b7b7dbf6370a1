import type { Rate } from './limits.ts'
import { openWindows } from './window.ts'

/**
 * A caller's points on this node: those that it may use without Redis (`left`), those on credit that are not drawn yet
 * (`onCredit`), and all since the window began (`total`).
 */
type Drawn = { left: number; onCredit: number; total: number; drawing: Promise<number> | undefined }

/** Returns 0 if the points could be drawn, else the milliseconds until there is room again. */
type Draw = (who: string, points: number) => Promise<number>

/**
 * Counts over all nodes actions that are too frequent to ask Redis each time: a node draws `lease` points at once and
 * gives them out from memory. The first ones are on credit and are drawn together with the second ones, so that
 * occasional callers cost no call to Redis. A caller may therefore get up to `lease` points too many on each node.
 * Points that a node has drawn and not used expire with the window: other callers may be refused up to `lease - 1`
 * points early per node. While Redis is away (`draw` always returns 0), a node gives out no more than the limit by
 * itself.
 */
export const openLease = ({ points, windowS, lease }: Required<Rate>, draw: Draw) => {
  const windows = openWindows<Drawn>(windowS, () => ({
    left: lease,
    onCredit: lease,
    total: lease,
    drawing: undefined,
  }))

  const drawMore = async (who: string, drawn: ReturnType<typeof windows.find>) => {
    if (drawn.total + lease > points) return Math.max(1, drawn.endsAt - performance.now())
    const waitMs = await draw(who, drawn.onCredit + lease)
    if (waitMs > 0) return waitMs
    drawn.onCredit = 0
    drawn.left += lease
    drawn.total += lease
    return 0
  }

  /** Takes a point once more are drawn. */
  const takeDrawn = async (who: string, drawn: ReturnType<typeof windows.find>) => {
    while (drawn.left === 0) {
      drawn.drawing ??= drawMore(who, drawn).finally(() => {
        drawn.drawing = undefined
      })
      const waitMs = await drawn.drawing
      if (waitMs > 0) return waitMs
    }
    drawn.left -= 1
    return 0
  }

  return {
    /** The number of entries in memory. */
    get size() {
      return windows.size
    },
    /** Takes a point. Returns 0, or the milliseconds until there is room again; a promise only if Redis is asked. */
    take: (who: string): number | Promise<number> => {
      const drawn = windows.find(who)
      if (drawn.left === 0) return takeDrawn(who, drawn)
      drawn.left -= 1
      return 0
    },
  }
}
