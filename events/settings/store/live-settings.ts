/**
 * Settings are events too, in one stream: among others support hours, replies, inbox addresses, the offer, the
 * packages' texts, and the site's showcase (claims, links, work, reviews, faces). Every node and worker follows that
 * stream by the bus, and by a poll while Redis is away. Nodes render the public pages again when the settings change,
 * and when an offer ends. The clocks on leads count each moment by the hours that were valid then.
 */

import { readKnown } from '../../log/read.ts'
import type { Sql } from '../../stores/connection.ts'
import type { Bus } from '../../stores/redis/bus.ts'
import { DEFAULT_SETTINGS, evolveSettings, SETTINGS_STREAM, type Settings } from '../settings.ts'

/** The channel on which a node announces that the settings have changed; the message is their version. */
export const SETTINGS_CHANNEL = 'settings'

/** The net below the bus. */
const POLL_MS = 3_000
const BATCH_EVENTS = 1_000

/** The agency's current settings, in one process. */
export type LiveSettings = {
  /** The settings of the last successful read. */
  readonly current: Settings
  /** Calls the listener with each change; returns a function that stops this. */
  onChange: (listener: (settings: Settings) => void) => () => void
  /** Reads the changes now. Rejects if the log cannot be read. */
  refresh: () => Promise<Settings>
  stop: () => void
}

/** Reads the settings and follows their changes: immediately by the bus, and by a poll of 3 s while Redis is away. */
export const followSettings = async ({
  sql,
  bus,
  onError,
}: {
  sql: Sql
  bus: Bus
  onError: (error: unknown) => void
}): Promise<LiveSettings> => {
  const listeners = new Set<(settings: Settings) => void>()
  let current = DEFAULT_SETTINGS
  let last: Promise<unknown> = Promise.resolve()

  const readOn = async () => {
    const known = current
    for (;;) {
      const after = current.version
      const { events, version, hasMore } = await readKnown(sql, SETTINGS_STREAM, { after, limit: BATCH_EVENTS })
      if (version > after) current = { ...events.reduce(evolveSettings, current), version }
      if (!hasMore) break
    }
    if (current !== known) for (const listener of listeners) listener(current)
    return current
  }

  /** One read at a time, each after the previous one: a new request may need newer settings than those being read. */
  const refresh = () => {
    const reading = last.then(readOn)
    last = reading.catch(() => {})
    return reading
  }

  const look = () => {
    refresh().catch(onError)
  }

  await refresh()
  bus.subscribe(SETTINGS_CHANNEL, look)
  const poll = setInterval(look, POLL_MS)

  return {
    get current() {
      return current
    },
    onChange: (listener) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    refresh,
    stop: () => {
      clearInterval(poll)
      bus.unsubscribe(SETTINGS_CHANNEL, look)
    },
  }
}
