/** How long, and with how many others, work may wait for a free slot. `most` is a number, `ms` in milliseconds. */
export type Waiting = { most: number; ms: number }

/** All slots are taken, and too much waits for one already; its `code` is BUSY. Nothing was carried out. */
export class BusyError extends Error {
  override name = 'BusyError'
  readonly code = 'BUSY'
}

/** The slots are closed; its `code` is that of postgres.js for the same. */
class EndedError extends Error {
  override name = 'EndedError'
  readonly code = 'CONNECTION_ENDED'
}

type Waiter<Slot> = { resolve: (slot: Slot) => void; reject: (error: Error) => void; timer: NodeJS.Timeout | undefined }

/** Items that one caller at a time uses. */
export type Slots<Slot> = {
  /** Takes a free slot, or waits for one in turn. Throws a BusyError if too many wait, or it has waited too long. */
  acquire: () => Promise<Slot>
  release: (slot: Slot) => void
  /** Takes one while `work` runs. */
  use: <T>(work: (slot: Slot) => PromiseLike<T>) => Promise<T>
  /** Refuses all that waits and all that comes later. */
  close: () => void
}

/** Hands out the slots of `all`, most recently used first. */
export const openSlots = <Slot>(all: readonly Slot[], { most, ms }: Waiting): Slots<Slot> => {
  const free = [...all]
  const waiters: Waiter<Slot>[] = []
  let isClosed = false

  const wait = () => {
    if (waiters.length >= most) throw new BusyError(`All ${all.length} are taken, and ${most} wait already`)
    const { promise, resolve, reject } = Promise.withResolvers<Slot>()
    const waiter: Waiter<Slot> = { resolve, reject, timer: undefined }
    if (Number.isFinite(ms)) {
      waiter.timer = setTimeout(() => {
        waiters.splice(waiters.indexOf(waiter), 1)
        reject(new BusyError(`All ${all.length} were taken for ${ms} ms`))
      }, ms)
    }
    waiters.push(waiter)
    return promise
  }

  const acquire = async (): Promise<Slot> => {
    if (isClosed) throw new EndedError('closed')
    return free.pop() ?? (await wait())
  }

  const release = (slot: Slot) => {
    const next = waiters.shift()
    clearTimeout(next?.timer)
    if (next) next.resolve(slot)
    else free.push(slot)
  }

  return {
    acquire,
    release,
    use: async (work) => {
      const slot = await acquire()
      try {
        return await work(slot)
      } finally {
        release(slot)
      }
    },
    close: () => {
      isClosed = true
      for (const { reject, timer } of waiters.splice(0)) {
        clearTimeout(timer)
        reject(new EndedError('closed while it waited'))
      }
    },
  }
}

/** Slots for work that needs no items: only `count` places. */
export const openPlaces = (count: number, waiting: Waiting): Slots<number> =>
  openSlots(
    Array.from({ length: count }, (_, place) => place),
    waiting,
  )
