/** A waiting caller; `call` resolves its wait: true if it is its turn. */
type Waiter = { call: (isTurn: boolean) => void }

/**
 * A queue for one of a few places. Addresses take turns, and the callers of one address come in the order of their
 * requests: however many of one address wait, another one waits for a single turn of each address before it.
 */
export type FairQueue = {
  /** The number of waiting callers. */
  readonly waiting: number
  /**
   * Waits for a place; resolves to false if the wait took too long. `onWait` is called every few seconds during the
   * wait. A caller that got a place calls `leave` once.
   */
  wait: (address: string, onWait?: () => void) => Promise<boolean>
  leave: () => void
}

/**
 * How often `onWait` is called, in milliseconds: well within the 8 s after which a page takes its connection for dead.
 */
const SIGN_EVERY_MS = 4_000

/** Opens a queue for a number of places. No caller waits longer than `waitMs`, in milliseconds. */
export const openFairQueue = ({ places, waitMs }: { places: number; waitMs: number }): FairQueue => {
  /** By address; the address whose turn is next comes first. */
  const lines = new Map<string, Set<Waiter>>()
  let free = places
  let waiting = 0

  const remove = (address: string, waiter: Waiter) => {
    const line = lines.get(address)
    if (!line?.delete(waiter)) return
    waiting -= 1
    if (line.size === 0) lines.delete(address)
  }

  const callNext = () => {
    const [first] = lines
    if (!first) return false
    const [address, line] = first
    const [waiter] = line
    if (!waiter) return false
    remove(address, waiter)
    if (lines.delete(address)) lines.set(address, line)
    waiter.call(true)
    return true
  }

  return {
    get waiting() {
      return waiting
    },
    wait: (address, onWait) => {
      if (free > 0) {
        free -= 1
        return Promise.resolve(true)
      }
      return new Promise((resolve) => {
        const signs = onWait && setInterval(onWait, SIGN_EVERY_MS)
        const waiter: Waiter = {
          call: (isTurn) => {
            clearTimeout(tooLong)
            clearInterval(signs)
            resolve(isTurn)
          },
        }
        const tooLong = setTimeout(() => {
          remove(address, waiter)
          waiter.call(false)
        }, waitMs)
        const line = lines.get(address) ?? new Set()
        lines.set(address, line.add(waiter))
        waiting += 1
      })
    },
    leave: () => {
      if (!callNext()) free += 1
    },
  }
}
