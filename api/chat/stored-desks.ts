import { NO_RECEIPTS } from '../../events/chat-desk.ts'
import { readPagesAfter, readPageVersions } from '../../events/log/chat-pages.ts'
import { readReceipts } from '../../events/log/chat-receipts.ts'
import type { Sql } from '../../events/log/connection.ts'
import type { Desk, DeskState } from './desk.ts'

/** What is stored around some sessions' messages, by session id. */
export const readDeskStates = async (sql: Sql, sessionIds: string[]): Promise<Map<string, DeskState>> => {
  const [receipts, versions] = await Promise.all([readReceipts(sql, sessionIds), readPageVersions(sql, sessionIds)])
  return new Map(
    sessionIds.map((id) => [id, { receipts: receipts.get(id) ?? NO_RECEIPTS, pageVersion: versions.get(id) ?? 0 }]),
  )
}

/** Gives desks what has been stored since they were last given it: so they find what the bus has lost. */
export const refreshDesks = async (sql: Sql, desks: Desk[]): Promise<void> => {
  const [receipts, pages] = await Promise.all([
    readReceipts(
      sql,
      desks.map(({ sessionId }) => sessionId),
    ),
    readPagesAfter(sql, new Map(desks.map(({ sessionId, pageVersion }) => [sessionId, pageVersion]))),
  ])
  for (const desk of desks) {
    const { sessionId } = desk
    desk.acceptStored({ receipts: receipts.get(sessionId) ?? NO_RECEIPTS, pages: pages.get(sessionId) ?? [] })
  }
}
