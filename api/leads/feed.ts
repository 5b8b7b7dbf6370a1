import {
  changedLeads,
  LEADS_CHANNEL,
  leadsPosition,
  type UnlistedChanges,
  unlistedChanges,
} from '../../events/lead/store/view.ts'
import { openYielding } from '../../events/log/yielding.ts'
import type { ApiNode } from '../node/node.ts'

/** The polling interval, in case the bus loses a notification. */
const POLL_MS = 2_000
const BATCH_LEADS = 200

const NO_UNLISTED_CHANGES: UnlistedChanges = { withdrawn: 0, hasQuarantineChanged: false }

/** A new or changed lead as JSON, and the log position of its change. */
type LeadChange = { position: number; json: string }

/** Changes in the order of the log, and all of them as the events of a stream: bytes that all watchers share. */
export type LeadBatch = { changes: LeadChange[]; events: Uint8Array }

/** The next changes, with those that carry no lead: for a flagged lead only the fact that there is a change. */
type LeadUpdate = UnlistedChanges & LeadBatch

type Listener = (update: LeadUpdate) => void

/** The changes as the events of a stream (server-sent events). */
export const eventsOf = (changes: LeadChange[]): Uint8Array =>
  Buffer.from(changes.map(({ position, json }) => `event: lead\nid: ${position}\ndata: ${json}\n\n`).join(''))

/**
 * One node's reading of the leads view, for all live watchers: each change is read, and made into an event, once for
 * all of them. The feed reads only while there is a watcher.
 */
export type LeadFeed = {
  /**
   * Calls back with the changes from now on, in the order of the log. Settles once none can be missed; returns the
   * function that stops it. Rejects if the view cannot be read.
   */
  watch: (listener: Listener) => Promise<() => void>
  /** The next changes after a position, at most 200, for a watcher that is behind; none if there are no more. */
  after: (position: number) => Promise<LeadBatch>
  /** The position of the view, at which a new watcher begins. */
  position: () => Promise<number>
}

/** Opens a node's feed. */
export const openLeadFeed = ({ reading, bus, logger }: Pick<ApiNode, 'reading' | 'bus' | 'logger'>): LeadFeed => {
  const listeners = new Set<Listener>()
  let reader: { started: Promise<void>; stop: () => void } | undefined

  const position = () => leadsPosition(reading)

  const after = async (seen: number) => {
    const leads = await changedLeads(reading, seen, BATCH_LEADS)
    const changes = leads.map(({ position: at, lead }) => ({ position: at, json: JSON.stringify(lead) }))
    return { changes, events: eventsOf(changes) }
  }

  const read = () => {
    let reached = 0
    let lookedTo = 0
    let isStopped = false
    let hasChanged = false
    let stopResting = () => {}
    const wake = () => {
      hasChanged = true
      stopResting()
    }
    const rest = async () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      stopResting = resolve
      const timer = setTimeout(resolve, POLL_MS)
      if (!hasChanged) await promise
      clearTimeout(timer)
    }
    const notifyListeners = async (update: LeadUpdate) => {
      const letOthers = openYielding()
      for (const listener of listeners) {
        if (isStopped) return
        listener(update)
        await letOthers()
      }
    }
    const readOn = async () => {
      hasChanged = false
      const upTo = await position()
      const { changes, events } = await after(reached)
      const unlisted = upTo > lookedTo ? await unlistedChanges(reading, lookedTo, upTo) : NO_UNLISTED_CHANGES
      reached = changes.at(-1)?.position ?? reached
      lookedTo = upTo
      const hasChanges = changes.length + unlisted.withdrawn > 0 || unlisted.hasQuarantineChanged
      if (hasChanges) await notifyListeners({ changes, events, ...unlisted })
      return changes.length >= BATCH_LEADS
    }
    const follow = async () => {
      while (!isStopped) {
        const isMore = await readOn().catch((error: unknown) => {
          logger.error({ err: error }, 'changed leads could not be read')
          return false
        })
        if (!isMore) await rest()
      }
    }
    const begin = async () => {
      await bus.subscribe(LEADS_CHANNEL, wake)
      reached = await position()
      lookedTo = reached
      follow()
    }
    return {
      started: begin(),
      stop: () => {
        isStopped = true
        bus.unsubscribe(LEADS_CHANNEL, wake)
        wake()
      },
    }
  }

  return {
    watch: async (listener) => {
      const leave = () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        reader?.stop()
        reader = undefined
      }
      listeners.add(listener)
      reader ??= read()
      try {
        await reader.started
      } catch (error) {
        leave()
        throw error
      }
      return leave
    },
    after,
    position,
  }
}
