import {
  advanceReceipt,
  type ChatDeskEvent,
  evolveReceipts,
  NO_RECEIPTS,
  type Party,
  type Receipt,
  type Receipts,
  type ViewedPage,
} from '../../events/chat-desk.ts'
import type { ServerFrame } from '../../events/chat-frames.ts'

/** What happens around a session's messages as it passes through one node: each thing once, however often it is told. */
export type Desk = {
  readonly sessionId: string
  /** The version of its stream up to which the log has been read. */
  readonly version: number
  readonly receipts: Receipts
  /** Takes what came over the bus. */
  acceptReceipt: (party: Party, receipt: Receipt) => void
  acceptPage: (page: ViewedPage) => void
  /** Takes what was read from the log after `version`, in order. */
  acceptLogged: (events: ChatDeskEvent[]) => void
}

/** Opens a session's desk with what the log holds already. `deliver` sends a frame to everybody whom it concerns. */
export const openDesk = (
  sessionId: string,
  known: ChatDeskEvent[],
  deliver: (frame: ServerFrame, to: 'staff' | 'all') => void,
): Desk => {
  let receipts = known.reduce(evolveReceipts, NO_RECEIPTS)
  let version = known.at(-1)?.version ?? 0
  /** Pages that the bus has brought before the log was read. */
  const ahead = new Set<number>()

  const acceptReceipt = (party: Party, reported: Receipt) => {
    const receipt = advanceReceipt(receipts[party], reported, Number.POSITIVE_INFINITY)
    if (!receipt) return
    receipts = { ...receipts, [party]: receipt }
    deliver({ type: 'receipt', sessionId, party, ...receipt }, party === 'admin' ? 'all' : 'staff')
  }

  const acceptPage = ({ version: at, pageUrl, timestamp }: ViewedPage) => {
    if (at <= version || ahead.has(at)) return
    ahead.add(at)
    deliver({ type: 'page_viewed', sessionId, pageUrl, timestamp }, 'staff')
  }

  return {
    sessionId,
    get version() {
      return version
    },
    get receipts() {
      return receipts
    },
    acceptReceipt,
    acceptPage,
    acceptLogged: (events) => {
      for (const event of events) {
        if (event.type === 'ChatReceiptNoted') acceptReceipt(event.data.party, event.data)
        if (event.type === 'ChatPageViewed' && event.personal) {
          const { pageUrl } = event.personal
          acceptPage({ version: event.version, pageUrl, timestamp: event.recordedAt.toISOString() })
        }
        version = Math.max(version, event.version)
        ahead.delete(event.version)
      }
    },
  }
}
