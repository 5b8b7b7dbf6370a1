import { createStore } from './ui/store.ts'

/** How far the server's clock is ahead of this device's, which may be hours off; 0 until an answer tells. */
export const serverClock = createStore({ aheadMs: 0 })

/** The present by the server's clock, which all that is promised goes by. */
export const serverNow = () => new Date(Date.now() + serverClock.get().aheadMs)

/**
 * Learns the server's time from the date of an answer to what was sent at `sentAt`, in ms of this device. A date has whole
 * seconds, and is as old as the answer took: what is known already stays as long as it can be true.
 */
export const learnServerTime = ({ headers }: Response, sentAt: number) => {
  const date = Date.parse(headers.get('date') ?? '')
  const isFresh = !headers.get('cache-control')?.includes('max-age')
  if (Number.isNaN(date) || !isFresh) return
  const [least, most] = [date - Date.now(), date + 1_000 - sentAt]
  const { aheadMs } = serverClock.get()
  if (aheadMs < least || aheadMs > most) serverClock.set({ aheadMs: (least + most) / 2 })
}
