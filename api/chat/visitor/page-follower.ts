import type { ChatSession } from '../../../events/chat/chat.ts'
import { notePage } from '../../../events/chat/store/pages.ts'
import { BusyError, openPlaces } from '../../../events/stores/postgres/slots.ts'
import type { ApiNode } from '../../node/node.ts'
import type { ChatHub } from '../room/hub.ts'
import type { ChatSocket } from '../socket/chat-socket.ts'

/** The maximum number of visited pages stored at a time, and of those waiting: others are stored with the next page. */
const PAGES_AT_ONCE = 2
const PAGES_WAITING = { most: 5_000, ms: 60_000 }

/**
 * Returns a function that stores and sends the pages that visitors open. They have joined already, and their frames do
 * not wait for this: a page that cannot be stored now is stored with the next one.
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
    if (page) hub.publish({ kind: 'page', sessionId, ...page })
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
