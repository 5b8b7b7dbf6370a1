import { setTimeout as delay } from 'node:timers/promises'

/** All have been sent away within this time, however many they are: what is left of a node's time to stop closes it. */
const LEAVE_WITHIN_MS = 4_000
const PAUSE_MS = 50
/** So few are no burden for the nodes that they come to. */
const SMALL_GROUP = 200
/** The clients of a node that stops come back spread out, so that the nodes left take this many a second. */
const RECONNECTS_PER_SECOND = 2_000
const MIN_SPREAD_MS = 3_000

/** Sends clients away in groups, one after the other. `send` gets how long a client should wait before it comes back. */
export const sendAway = async <Client>(
  clients: readonly Client[],
  send: (client: Client, afterMs: number) => void,
): Promise<void> => {
  const spreadMs = Math.max(MIN_SPREAD_MS, (clients.length / RECONNECTS_PER_SECOND) * 1_000)
  const began = performance.now()
  let gone = 0
  while (gone < clients.length) {
    const part = (performance.now() - began + PAUSE_MS) / LEAVE_WITHIN_MS
    const due = Math.max(gone + SMALL_GROUP, Math.ceil(clients.length * part))
    for (const client of clients.slice(gone, due)) send(client, Math.round(Math.random() * spreadMs))
    gone = due
    if (gone < clients.length) await delay(PAUSE_MS)
  }
}
