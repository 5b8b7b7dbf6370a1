import { NO_RECEIPTS } from '../../events/chat-desk.ts'
import type { ListedSessions } from '../../events/chat-frames.ts'
import { readReceipts } from '../../events/log/chat-receipts.ts'
import type { Sql } from '../../events/log/connection.ts'
import { activeSessions, countActive } from '../../events/projections/chats.ts'
import { cursorOf } from '../leads/query.ts'
import { readSessionStates } from './session-log.ts'

/** How many sessions a console is told of as it joins: those before them it asks for, a page at a time. */
const PAGE_SESSIONS = 50

/** The newest of the sessions that go on, how many there are, and where the list goes on. */
export const listActive = async (sql: Sql): Promise<ListedSessions> => {
  const [found, total] = await Promise.all([activeSessions(sql, PAGE_SESSIONS + 1), countActive(sql)])
  const page = found.slice(0, PAGE_SESSIONS)
  const ids = page.map(({ sessionId }) => sessionId)
  const [states, receipts] = await Promise.all([readSessionStates(sql, ids), readReceipts(sql, ids)])
  const last = page.at(-1)
  const next = found.length > page.length && last && cursorOf({ timestamp: last.startTime, id: last.sessionId })
  return {
    sessions: page.map((session) => ({
      ...session,
      lastSequence: states.get(session.sessionId)?.lastSequence ?? 0,
      receipts: receipts.get(session.sessionId) ?? NO_RECEIPTS,
    })),
    total: Math.max(total, page.length),
    ...(next && { next }),
  }
}
