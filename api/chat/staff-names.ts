import type { ChatMessage } from '../../events/chat.ts'
import type { Sql } from '../../events/log/connection.ts'
import { staffNames } from '../staff/staff.ts'

const KEPT_MS = 10_000

/** Adds the names of those who wrote answers, for staff: what is read of the names is kept for ten seconds. */
export const openStaffNames = (sql: Sql) => {
  let names = new Map<string, string>()
  let readAt = Number.NEGATIVE_INFINITY

  return async (messages: ChatMessage[]): Promise<ChatMessage[]> => {
    const isOld = performance.now() - readAt > KEPT_MS
    if (messages.some(({ by }) => by !== undefined && (isOld || !names.has(by)))) {
      names = await staffNames(sql)
      readAt = performance.now()
    }
    return messages.map((message) => {
      const staffName = message.by === undefined ? undefined : names.get(message.by)
      return staffName === undefined ? message : { ...message, staffName }
    })
  }
}
