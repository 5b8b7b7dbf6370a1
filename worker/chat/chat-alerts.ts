/**
 * Staff are told on their devices of a chat that nobody has answered for CHAT_ALERT_AFTER_MS, in support hours, each as they
 * have chosen on their account screen. A chat that is somebody's is told to that one alone. A schedule in the queue `upkeep`
 * looks every few seconds. It asks for all notifications about a chat in one append, which fails if somebody has answered
 * meanwhile. So each person is told of a chat once, whichever worker dies.
 */

import { messageStreams } from '../../events/chat.ts'
import {
  awaitsFirstAnswer,
  CHAT_ALERT_AFTER_MS,
  CHAT_ALERT_UNTIL_MS,
  chatAlertStreams,
  chatPushRequested,
} from '../../events/chat-alert.ts'
import type { Appender } from '../../events/log/append.ts'
import type { Sql } from '../../events/log/connection.ts'
import { deterministicUuid } from '../../events/log/event-id.ts'
import { handle } from '../../events/log/handle.ts'
import { readStream } from '../../events/log/read.ts'
import { readChat } from '../../events/log/read-chat.ts'
import { listAlertedStaff } from '../../events/log/staff-alerts.ts'
import { chatsToTellOf } from '../../events/projections/chat-list.ts'
import { backAt, type SupportHours } from '../../events/support-hours.ts'
import { isOvertaken } from '../overtaken.ts'

/** How many chats are told of in a sweep, the oldest first. The others come with the next one. */
const MAX_CHATS_A_ROUND = 50
/** Of the notifications of a chat this many are read: all, for an agency of 1,000 people. */
const MAX_ALERT_EVENTS = 1_000

/** What telling staff of chats works with. */
export type ChatAlerting = { sql: Sql; log: Pick<Appender, 'append'>; hours: SupportHours }

/** Asks for the notifications about one chat, for all of these people at once, those aside who were told before. */
const tell = async ({ sql, log }: ChatAlerting, sessionId: string, accountIds: readonly string[]) => {
  const stream = chatAlertStreams.of(sessionId)
  await handle(log, {
    read: async () => {
      const [{ chat }, told] = await Promise.all([
        readChat(sql, sessionId),
        readStream(sql, stream, { limit: MAX_ALERT_EVENTS }),
      ])
      const guards = chat ? [{ stream: messageStreams.of(sessionId), version: chat.progress.lastSequence }] : []
      return { chat, told, stream, version: told.at(-1)?.version ?? 0, guards }
    },
    decide: ({ chat, told }) => {
      if (!chat || !awaitsFirstAnswer(chat)) return undefined
      const isTold = new Set(told.map(({ data }) => data.accountId))
      const [first, ...others] = accountIds
        .filter((accountId) => !isTold.has(accountId))
        .map((accountId) => ({
          id: deterministicUuid('chat push', sessionId, accountId),
          ...chatPushRequested({ sessionId, accountId }),
        }))
      return first && [first, ...others]
    },
    isOnce: true,
  })
}

/**
 * Tells staff on their devices of chats that wait for a first answer, in support hours alone; of those of the night as the
 * hours begin, while they go on. Chats from before somebody asked for notifications are no news to them.
 */
export const alertStaffOfChats = async (alerting: ChatAlerting, { now }: { now: Date }): Promise<void> => {
  const { sql, hours } = alerting
  if (backAt(now, hours)) return
  const staff = await listAlertedStaff(sql, { canEmail: false })
  const people = staff.flatMap(({ id, alerts, pushedSince }) =>
    alerts.includes('chat') && pushedSince ? [{ id, since: pushedSince }] : [],
  )
  if (people.length === 0) return
  const from = new Date(now.getTime() - CHAT_ALERT_UNTIL_MS)
  const to = new Date(now.getTime() - CHAT_ALERT_AFTER_MS)
  const failures: unknown[] = []
  for (const { sessionId, accountIds } of await chatsToTellOf(sql, { from, to, people }, MAX_CHATS_A_ROUND)) {
    await tell(alerting, sessionId, accountIds).catch((error) => {
      if (!isOvertaken(error)) failures.push(error)
    })
  }
  // those behind a chat that cannot be told of were told first
  if (failures.length > 0) throw failures[0]
}
