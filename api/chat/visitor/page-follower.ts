import type { ChatSession } from '../../../events/chat/chat.ts'
import { notePage } from '../../../events/chat/store/pages.ts'
import { BusyError, openPlaces } from '../../../events/stores/postgres/slots.ts'
import type { ApiNode } from '../../node/node.ts'
import type { ChatHub } from '../room/hub.ts'
import type { ChatSocket } from '../socket/chat-socket.ts'

/** How many visited pages are stored at a time, and how many wait for that: what is more is stored with the next page. */
const PAGES_AT_ONCE = 2
const PAGES_WAITING = { most: 5_000, ms: 60_000 }

/**
 * Returns what stores and tells the pages that visitors go to. They have joined already, and what they send does not wait
 * for this: a page that cannot be stored now is stored when they come to the next.
 */
export const openPageFollower = (
  { sql, admission, logger }: Pick<ApiNode, 'sql' | 'admission' | 'logger'>,
  hub: ChatHub,
) => {
  const places = openPlaces(PAGES_AT_ONCE, PAGES_WAITING)
  /** The pages of a chat that are being stored: in the order in which its visitor went to them. */
  const storing = new Map<string, Promise<void>>()

  const notePageOf = async (socket: ChatSocket, session: ChatSession, pageUrl: string | null) => {
    const { sessionId } = session
    if (!socket.isOpen || !(await admission.hasRoom('page_views', { session: sessionId }))) return
    const page = await places.use(() => notePage(sql, session, pageUrl))
    if (page) await hub.publish({ kind: 'page', sessionId, ...page })
  }

  return (socket: ChatSocket, session: ChatSession, pageUrl: string | null): void => {
    const { sessionId } = session
    const stored = (storing.get(sessionId) ?? Promise.resolve())
      .then(() => notePageOf(socket, session, pageUrl))
      .catch((error) => {
        if (!(error instanceof BusyError)) logger.error({ err: error }, 'a visited page could not be stored')
      })
      .finally(() => {
        if (storing.get(sessionId) === stored) storing.delete(sessionId)
      })
    storing.set(sessionId, stored)
  }
}
