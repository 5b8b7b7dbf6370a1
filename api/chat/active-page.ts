import { NO_RECEIPTS } from '../../events/chat-activity.ts'
import type { ListedSessions } from '../../events/chat-frames.ts'
import { readReceipts } from '../../events/log/chat-receipts.ts'
import type { Sql } from '../../events/log/connection.ts'
import { activeSessions, chatsProjection, countActive } from '../../events/projections/chats.ts'
import { isMissingView, schemaOf } from '../../events/projections/projection.ts'
import { cursorOf } from '../leads/query.ts'
import { readAssignments, UNASSIGNED } from './assignments.ts'
import { readOutlines } from './outlines.ts'
import { readSessionStates } from './session-log.ts'

/** How many sessions a console is told of as it joins: those before them it asks for, by page or by name. */
const PAGE_SESSIONS = 50

/** What a console asks for as it joins: `listed` are the sessions that it has in its list. */
type Asked = { listed: string[]; asksForOutlines: boolean }

const readActive = async (sql: Sql, { listed, asksForOutlines }: Asked): Promise<ListedSessions> => {
  const [found, total] = await Promise.all([activeSessions(sql, PAGE_SESSIONS + 1, listed), countActive(sql)])
  const page = found.slice(0, PAGE_SESSIONS)
  const isListed = new Set(listed)
  const told = found.filter(({ sessionId }, place) => place < PAGE_SESSIONS || isListed.has(sessionId))
  const ids = told.map(({ sessionId }) => sessionId)
  const [states, outlines, receipts, assignments] = await Promise.all([
    asksForOutlines ? undefined : readSessionStates(sql, ids),
    asksForOutlines ? readOutlines(sql, ids) : undefined,
    readReceipts(sql, ids),
    readAssignments(sql, ids),
  ])
  const last = page.at(-1)
  const next = found.length > page.length && last && cursorOf({ timestamp: last.startTime, id: last.sessionId })
  return {
    sessions: told.map((session) => {
      const outline = outlines?.get(session.sessionId)
      return {
        ...session,
        lastSequence: (outline ?? states?.get(session.sessionId))?.lastSequence ?? 0,
        receipts: receipts.get(session.sessionId) ?? NO_RECEIPTS,
        ...(outline && { outline }),
        assigned: assignments.get(session.sessionId) ?? UNASSIGNED,
      }
    }),
    total: Math.max(total, told.length),
    ...(next && { next }),
  }
}

/** Whether another version of the view keeps the list: pages that do not know `isPreparing` ask again then. */
const hasOtherList = async (sql: Sql) => {
  const [row] = await sql<{ exists: boolean }[]>`
    select exists (
      select from pg_namespace where nspname ~ ${`^view_${chatsProjection.name}_\\d+$`} and nspname <> ${schemaOf(chatsProjection)}
    )`
  return row?.exists ?? false
}

/**
 * The newest of the sessions that go on, how many there are, and where the list goes on; of the `listed` ones those
 * that go on too. Before a worker has filled the list in this version, none, with `isPreparing`: who comes in gets what
 * happens from here on all the same. A console that asks for no outlines may not know that: where an older version has
 * a list, which an empty one would replace, it gets the error of the missing view. It is read in the visitors' lane,
 * since staff come in to answer them: searches that hang keep nobody out, and what is read here is bounded.
 */
export const listActive = async (sql: Sql, asked: Asked): Promise<ListedSessions> => {
  try {
    return await readActive(sql, asked)
  } catch (error) {
    if (!isMissingView(error) || (!asked.asksForOutlines && (await hasOtherList(sql)))) throw error
    return { sessions: [], total: 0, isPreparing: true }
  }
}
