import {
  advanceReceipt,
  NO_RECEIPTS,
  type Receipt,
  type Receipts,
  type ViewedPage,
} from '../../../events/chat/activity.ts'
import type { Party } from '../../../events/chat/parties.ts'
import type { ServerFrame } from '../../../events/chat/sent-frames.ts'

/** The data stored about a session's messages: the receipts, and the version of its newest page. */
export type RoomActivityState = { receipts: Receipts; pageVersion: number }

/** The receipts and pages of a session that pass through one node: each is shown once, however often it arrives. */
export class RoomActivity {
  readonly sessionId: string
  receipts: Receipts = NO_RECEIPTS
  /** The version of the newest page that has been read from Postgres. */
  pageVersion = 0
  readonly #deliver: (frame: ServerFrame, to: 'staff' | 'all') => void
  /** Pages that the bus delivered before they were read from Postgres. */
  readonly #ahead = new Set<number>()
  /**
   * The newest page when the activity opened, until the bus delivers it: it may just have been stored, and not shown
   * yet.
   */
  #newestAtOpening: number | undefined

  /** `deliver` sends a frame to everyone it concerns. */
  constructor(sessionId: string, deliver: (frame: ServerFrame, to: 'staff' | 'all') => void) {
    this.sessionId = sessionId
    this.#deliver = deliver
  }

  /** Begins with the stored state. */
  open({ receipts, pageVersion }: RoomActivityState): void {
    this.receipts = receipts
    this.pageVersion = pageVersion
    this.#newestAtOpening = pageVersion
  }

  acceptReceipt(party: Party, reported: Receipt): void {
    const receipt = advanceReceipt(this.receipts[party], reported, Number.POSITIVE_INFINITY)
    if (!receipt) return
    this.receipts = { ...this.receipts, [party]: receipt }
    const frame: ServerFrame = { type: 'receipt', sessionId: this.sessionId, party, ...receipt }
    this.#deliver(frame, party === 'admin' ? 'all' : 'staff')
  }

  acceptPage({ version, pageUrl, timestamp }: ViewedPage): void {
    const isOfOpening = version === this.#newestAtOpening
    if ((version <= this.pageVersion && !isOfOpening) || this.#ahead.has(version)) return
    if (isOfOpening) this.#newestAtOpening = undefined
    else this.#ahead.add(version)
    this.#deliver({ type: 'page_viewed', sessionId: this.sessionId, pageUrl, timestamp }, 'staff')
  }

  /** Applies data read from Postgres: the current receipts, and the pages after `pageVersion`, in order. */
  acceptStored({ receipts, pages }: { receipts: Receipts; pages: ViewedPage[] }): void {
    this.acceptReceipt('visitor', receipts.visitor)
    this.acceptReceipt('admin', receipts.admin)
    for (const page of pages) this.acceptPage(page)
    this.pageVersion = Math.max(this.pageVersion, pages.at(-1)?.version ?? 0)
    for (const version of this.#ahead) if (version <= this.pageVersion) this.#ahead.delete(version)
  }
}
