import { createStore } from './store.ts'

/** The server clock's lead over this device's clock, which may be hours off; 0 until the first response. */
export const serverClock = createStore({ aheadMs: 0 })

/** The server's current time, by which all promises are measured. */
export const serverNow = () => new Date(Date.now() + serverClock.get().aheadMs)

/**
 * Learns the server's time from the Date header of the response to a request sent at `sentAt` (this device's ms). The
 * header has whole seconds and is as old as the response took; an earlier estimate stays as long as it can be true.
 */
export const learnServerTime = ({ headers }: Response, sentAt: number) => {
  const date = Date.parse(headers.get('date') ?? '')
  const isFresh = !headers.get('cache-control')?.includes('max-age')
  if (Number.isNaN(date) || !isFresh) return
  const [least, most] = [date - Date.now(), date + 1_000 - sentAt]
  const { aheadMs } = serverClock.get()
  if (aheadMs < least || aheadMs > most) serverClock.set({ aheadMs: (least + most) / 2 })
}
