import { NO_RECEIPTS } from '../../../events/chat/activity.ts'
import { UNASSIGNED } from '../../../events/chat/assignment.ts'
import type { ListedSessions } from '../../../events/chat/sent-frames.ts'
import { readReceipts } from '../../../events/chat/store/receipts.ts'
import { activeSessions, countActive } from '../../../events/chat/store/view.ts'
import { isMissingView } from '../../../events/projections/projection.ts'
import type { Sql } from '../../../events/stores/connection.ts'
import { cursorOf } from '../../http/next-link.ts'
import { readAssignments } from '../log/assignments.ts'
import { readOutlines } from '../log/outlines.ts'

const NO_OUTLINE = { lastSequence: 0, answered: 0, waitingSince: null, last: null }

/** The number of sessions that a console gets when it joins; it requests earlier ones by page or by name. */
const PAGE_SESSIONS = 50

const readActive = async (sql: Sql, listed: readonly string[]): Promise<ListedSessions> => {
  const [found, total] = await Promise.all([activeSessions(sql, PAGE_SESSIONS + 1, listed), countActive(sql)])
  const page = found.slice(0, PAGE_SESSIONS)
  const isListed = new Set(listed)
  const listedSessions = found.filter(({ sessionId }, place) => place < PAGE_SESSIONS || isListed.has(sessionId))
  const ids = listedSessions.map(({ sessionId }) => sessionId)
  const [outlines, receipts, assignments] = await Promise.all([
    readOutlines(sql, ids),
    readReceipts(sql, ids),
    readAssignments(sql, ids),
  ])
  const last = page.at(-1)
  const next = found.length > page.length && last && cursorOf({ timestamp: last.startTime, id: last.sessionId })
  return {
    sessions: listedSessions.map((session) => {
      const outline = outlines.get(session.sessionId) ?? NO_OUTLINE
      return {
        ...session,
        lastSequence: outline.lastSequence,
        receipts: receipts.get(session.sessionId) ?? NO_RECEIPTS,
        outline,
        assigned: assignments.get(session.sessionId) ?? UNASSIGNED,
      }
    }),
    total: Math.max(total, listedSessions.length),
    ...(next && { next }),
  }
}

/**
 * The newest open sessions, their number, and the cursor of the next page; the open ones among `listed` too. Before a
 * worker has filled the list: none, with `isPreparing`; the console still gets all events from then on. The list is
 * read in the visitors' lane, since staff join to reply to visitors: slow searches block no one, and this query is
 * bounded.
 */
export const listActive = async (sql: Sql, listed: readonly string[]): Promise<ListedSessions> => {
  try {
    return await readActive(sql, listed)
  } catch (error) {
    if (!isMissingView(error)) throw error
    return { sessions: [], total: 0, isPreparing: true }
  }
}
