import { NO_RECEIPTS } from '../../events/chat-activity.ts'
import { readPagesAfter } from '../../events/log/chat-pages.ts'
import { readReceipts } from '../../events/log/chat-receipts.ts'
import type { Sql } from '../../events/log/connection.ts'
import type { RoomActivity } from './room-activity.ts'

/** Gives activities what has been stored since they were last given it: so they find what the bus has lost. */
export const refreshActivities = async (sql: Sql, activities: RoomActivity[]): Promise<void> => {
  const [receipts, pages] = await Promise.all([
    readReceipts(
      sql,
      activities.map(({ sessionId }) => sessionId),
    ),
    readPagesAfter(sql, new Map(activities.map(({ sessionId, pageVersion }) => [sessionId, pageVersion]))),
  ])
  for (const activity of activities) {
    const { sessionId } = activity
    activity.acceptStored({ receipts: receipts.get(sessionId) ?? NO_RECEIPTS, pages: pages.get(sessionId) ?? [] })
  }
}
