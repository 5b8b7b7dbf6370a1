import type { Rate } from './limits.ts'
import { openWindows } from './window.ts'

/**
 * What a node may give out to one without a look at Redis (`left`), how many points it has on credit and has not drawn yet
 * (`owed`), and how many it has had since the window began (`total`).
 */
type Drawn = { left: number; owed: number; total: number; drawing: Promise<number> | undefined }

/** Answers 0 where the points could be drawn, else when there is room again, in milliseconds. */
type Draw = (who: string, points: number) => Promise<number>

/**
 * Counts over all nodes what is done too often to ask Redis each time: a node draws `lease` points at once, and gives
 * them out from memory. The first ones are on credit, and drawn with the second ones: of those who do something now and
 * then, Redis hears nothing. So somebody may get up to `lease` points too many on each node. What a node has drawn and not
 * used goes with the window: others may be refused up to `lease - 1` points early for each node. While Redis is away,
 * where `draw` always answers 0, a node gives out no more than the limit by itself.
 */
export const openLease = ({ points, windowS, lease }: Required<Rate>, draw: Draw) => {
  const windows = openWindows<Drawn>(windowS, () => ({ left: lease, owed: lease, total: lease, drawing: undefined }))

  const drawMore = async (who: string, drawn: ReturnType<typeof windows.find>) => {
    if (drawn.total + lease > points) return Math.max(1, drawn.endsAt - performance.now())
    const waitMs = await draw(who, drawn.owed + lease)
    if (waitMs > 0) return waitMs
    drawn.owed = 0
    drawn.left += lease
    drawn.total += lease
    return 0
  }

  return {
    /** How many are remembered. */
    get size() {
      return windows.size
    },
    /** Takes a point; answers 0, or when there is room again, in milliseconds. */
    take: async (who: string): Promise<number> => {
      const drawn = windows.find(who)
      while (drawn.left === 0) {
        drawn.drawing ??= drawMore(who, drawn).finally(() => {
          drawn.drawing = undefined
        })
        const waitMs = await drawn.drawing
        if (waitMs > 0) return waitMs
      }
      drawn.left -= 1
      return 0
    },
  }
}
