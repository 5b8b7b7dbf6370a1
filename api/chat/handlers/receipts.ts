import { setTimeout as delay } from 'node:timers/promises'
import { furthest, type Receipt } from '../../../events/chat/activity.ts'
import type { Party } from '../../../events/chat/parties.ts'

/** The least time between two stored receipts of a party in one session. */
const NOTE_PAUSE_MS = 1_000
const RETRY_PAUSE_MS = 5_000

/** The furthest receipt that a party's clients have reported. */
type Report = { wanted: Receipt }

/** Collects the receipts that clients report: stores the first at once, then at most one per second, the furthest. */
export type ReceiptBook = {
  report: (sessionId: string, party: Party, receipt: Receipt) => void
  /** Stores the receipts that still wait. */
  close: () => Promise<void>
}

/**
 * Opens a node's book of receipts. A receipt that `note` fails to store is retried until the node closes; a client that
 * reconnects reports again.
 */
export const openReceiptBook = (
  note: (sessionId: string, party: Party, receipt: Receipt) => Promise<void>,
  { onError }: { onError: (error: unknown) => void },
): ReceiptBook => {
  const reports = new Map<string, Report>()
  const running = new Set<Promise<void>>()
  const closing = new AbortController()

  /** Runs while there are reports to store; the entry stays during the pause, to hold back later reports. */
  const run = async (key: string, sessionId: string, party: Party, report: Report) => {
    let noted: Receipt | undefined
    while (report.wanted !== noted) {
      const { wanted } = report
      try {
        await note(sessionId, party, wanted)
        noted = wanted
      } catch (error) {
        onError(error)
        if (closing.signal.aborted) break
      }
      const pause = noted === wanted ? NOTE_PAUSE_MS : RETRY_PAUSE_MS
      await delay(pause, undefined, { signal: closing.signal }).catch(() => {})
    }
    reports.delete(key)
  }

  return {
    report: (sessionId, party, receipt) => {
      const key = `${party} ${sessionId}`
      const known = reports.get(key)
      if (known) {
        const wanted = furthest(known.wanted, receipt)
        const isNews = wanted.delivered > known.wanted.delivered || wanted.seen > known.wanted.seen
        if (isNews) known.wanted = wanted
        return
      }
      const report = { wanted: receipt }
      reports.set(key, report)
      const work = run(key, sessionId, party, report).finally(() => running.delete(work))
      running.add(work)
    },
    close: async () => {
      closing.abort()
      await Promise.all(running)
    },
  }
}
