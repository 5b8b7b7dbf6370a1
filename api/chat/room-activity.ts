import { advanceReceipt, type Party, type Receipt, type Receipts, type ViewedPage } from '../../events/chat-activity.ts'
import type { ServerFrame } from '../../events/chat-frames.ts'

/** What is stored around a session's messages: the receipts, and the version of its newest page. */
export type RoomActivityState = { receipts: Receipts; pageVersion: number }

/** What happens around a session's messages as it passes through one node: each thing once, however often it is told. */
export type RoomActivity = {
  readonly sessionId: string
  /** The version of the newest page that has been read from Postgres. */
  readonly pageVersion: number
  readonly receipts: Receipts
  /** Takes what came over the bus. */
  acceptReceipt: (party: Party, receipt: Receipt) => void
  acceptPage: (page: ViewedPage) => void
  /** Takes what was read from Postgres: the receipts as they are, and the pages after `pageVersion`, in order. */
  acceptStored: (stored: { receipts: Receipts; pages: ViewedPage[] }) => void
}

/** Opens a session's activity with what is stored already. `deliver` sends a frame to everybody whom it concerns. */
export const openRoomActivity = (
  sessionId: string,
  known: RoomActivityState,
  deliver: (frame: ServerFrame, to: 'staff' | 'all') => void,
): RoomActivity => {
  let { receipts, pageVersion } = known
  /** Pages that the bus has brought before they were read from Postgres. */
  const ahead = new Set<number>()
  /**
   * The newest page as the activity opened, until the bus brings it: it may have been stored just then, and told to
   * nobody.
   */
  let newestAtOpening: number | undefined = known.pageVersion

  const acceptReceipt = (party: Party, reported: Receipt) => {
    const receipt = advanceReceipt(receipts[party], reported, Number.POSITIVE_INFINITY)
    if (!receipt) return
    receipts = { ...receipts, [party]: receipt }
    deliver({ type: 'receipt', sessionId, party, ...receipt }, party === 'admin' ? 'all' : 'staff')
  }

  const acceptPage = ({ version, pageUrl, timestamp }: ViewedPage) => {
    const isOfOpening = version === newestAtOpening
    if ((version <= pageVersion && !isOfOpening) || ahead.has(version)) return
    if (isOfOpening) newestAtOpening = undefined
    else ahead.add(version)
    deliver({ type: 'page_viewed', sessionId, pageUrl, timestamp }, 'staff')
  }

  return {
    sessionId,
    get pageVersion() {
      return pageVersion
    },
    get receipts() {
      return receipts
    },
    acceptReceipt,
    acceptPage,
    acceptStored: (stored) => {
      acceptReceipt('visitor', stored.receipts.visitor)
      acceptReceipt('admin', stored.receipts.admin)
      for (const page of stored.pages) acceptPage(page)
      pageVersion = Math.max(pageVersion, stored.pages.at(-1)?.version ?? 0)
      for (const version of ahead) if (version <= pageVersion) ahead.delete(version)
    },
  }
}
