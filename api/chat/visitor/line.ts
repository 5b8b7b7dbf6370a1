/** Somebody who waits; `call` tells them whether it is their turn. */
type Waiter = { call: (isTurn: boolean) => void }

/**
 * A line in which callers wait for one of a few places. Addresses take turns, and those of one address come in the order in
 * which they asked: however many of one address wait, another one waits for a single turn of each address before it.
 */
export type Line = {
  /** How many wait. */
  readonly waiting: number
  /**
   * Waits for a place; false where the wait took too long. `onWait` is called every few seconds meanwhile. Who got a place
   * calls `leave` once.
   */
  stand: (address: string, onWait?: () => void) => Promise<boolean>
  leave: () => void
}

/**
 * How often those who wait are told so, in milliseconds: well within the 8 s after which a page takes its connection
 * for dead.
 */
const TELL_EVERY_MS = 4_000

/** Opens a line for a number of places. Nobody waits longer than `waitMs`, in milliseconds. */
export const openLine = ({ places, waitMs }: { places: number; waitMs: number }): Line => {
  /** By address; the address whose turn is next stands first. */
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
    stand: (address, onWait) => {
      if (free > 0) {
        free -= 1
        return Promise.resolve(true)
      }
      return new Promise((resolve) => {
        const telling = onWait && setInterval(onWait, TELL_EVERY_MS)
        const waiter: Waiter = {
          call: (isTurn) => {
            clearTimeout(tooLong)
            clearInterval(telling)
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
