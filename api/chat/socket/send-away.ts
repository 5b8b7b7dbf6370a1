import { setTimeout as delay } from 'node:timers/promises'

/**
 * All clients are notified within this time, whatever their number: the rest of a node's time to stop closes their
 * sockets.
 */
const LEAVE_WITHIN_MS = 4_000
const PAUSE_MS = 50
/** A group this small is no burden for the nodes to which it reconnects. */
const SMALL_GROUP = 200
const MIN_SPREAD_MS = 3_000

/** The clock; tests have their own. In milliseconds. */
export type Clock = { now: () => number; wait: (ms: number) => Promise<unknown> }
const CLOCK: Clock = { now: () => performance.now(), wait: delay }

/**
 * Sends clients away in groups, one after the other. `send` gets how long a client should wait before it reconnects: at
 * random, so that all together reconnect at `perSecond`, a rate that one other node accepts without refusals.
 */
export const sendAway = async <Client>(
  clients: readonly Client[],
  send: (client: Client, afterMs: number) => void,
  perSecond: number,
  { now, wait }: Clock = CLOCK,
): Promise<void> => {
  const spreadMs = Math.max(MIN_SPREAD_MS, (clients.length / perSecond) * 1_000)
  const began = now()
  let gone = 0
  while (gone < clients.length) {
    const part = (now() - began + PAUSE_MS) / LEAVE_WITHIN_MS
    const due = Math.max(gone + SMALL_GROUP, Math.ceil(clients.length * part))
    for (const client of clients.slice(gone, due)) send(client, Math.round(Math.random() * spreadMs))
    gone = due
    if (gone < clients.length) await wait(PAUSE_MS)
  }
}
