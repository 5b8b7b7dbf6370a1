import { NO_RECEIPTS } from '../../events/chat-desk.ts'
import { readPagesAfter } from '../../events/log/chat-pages.ts'
import { readReceipts } from '../../events/log/chat-receipts.ts'
import type { Sql } from '../../events/log/connection.ts'
import type { Desk } from './desk.ts'

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
