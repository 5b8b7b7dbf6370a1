/**
 * Notifies staff on their devices, in support hours, of chats without a first reply for CHAT_ALERT_AFTER_MS, each as
 * chosen on their account screen. Only the owner of a chat is notified of it. A schedule in the queue `work` looks
 * every few seconds and requests one notification per person and CHAT_ALERT_EVERY_MS, with the number of waiting chats.
 * The append fails if a staff member has replied during that time, or if another worker was faster. So each person is
 * notified of a chat once, whichever worker dies. A chat whose data key is lost is passed over.
 */

import { randomUUID } from 'node:crypto'
import {
  awaitsFirstAnswer,
  CHAT_ALERT_AFTER_MS,
  CHAT_ALERT_EVERY_MS,
  CHAT_ALERT_UNTIL_MS,
  chatAlertStreams,
  chatPushRequested,
} from '../../events/chat/alert.ts'
import { messageStreams } from '../../events/chat/chat.ts'
import { type StaffToAlert, staffToAlertOfChats } from '../../events/chat/store/list.ts'
import { readChat } from '../../events/chat/store/read-chat.ts'
import type { Appender } from '../../events/log/append.ts'
import { backAt, type SupportHours } from '../../events/settings/support-time.ts'
import { listAlertedStaff } from '../../events/staff/store/alerts.ts'
import type { Sql } from '../../events/stores/connection.ts'
import { isOutdated, type PassOver } from '../consumers/pass-over.ts'

/** The dependencies of chat alerts. */
type ChatAlerting = { sql: Sql; log: Pick<Appender, 'append'>; hours: SupportHours; passOver: PassOver }

/** The chat that has waited longest of those that can be read. */
const firstReadable = async ({ sql, passOver }: ChatAlerting, sessionIds: readonly string[]) => {
  for (const sessionId of sessionIds) {
    const read = await readChat(sql, sessionId).catch((error) => passOver({ sessionId }, error))
    if (read) return { sessionId, chat: read.chat }
  }
  return undefined
}

/** Requests the notification of one person, if the chat that has waited longest for them still waits. */
const requestNotification = async (alerting: ChatAlerting, { accountId, version, sessionIds }: StaffToAlert) => {
  const { sessionId, chat } = (await firstReadable(alerting, sessionIds)) ?? {}
  if (!sessionId || !chat || !awaitsFirstAnswer(chat)) return
  const { log } = alerting
  await log.append({
    stream: chatAlertStreams.of(accountId),
    expectedVersion: version,
    guards: [{ stream: messageStreams.of(sessionId), version: chat.progress.lastSequence }],
    events: [{ id: randomUUID(), ...chatPushRequested({ sessionId, accountId }) }],
  })
}

/**
 * Notifies staff on their devices of chats that wait for a first reply, only in support hours; of the night's open
 * chats when the hours begin. Chats from before a person asked for notifications are left out.
 */
export const alertStaffOfChats = async (alerting: ChatAlerting, { now }: { now: Date }): Promise<void> => {
  const { sql, hours } = alerting
  if (backAt(now, hours)) return
  const staff = await listAlertedStaff(sql, { canEmail: false })
  const people = staff.flatMap(({ id, alerts, pushedSince }) =>
    alerts.includes('chat-device') && pushedSince ? [{ id, since: pushedSince }] : [],
  )
  if (people.length === 0) return
  const ago = (ms: number) => new Date(now.getTime() - ms)
  const [from, to, quietFrom] = [ago(CHAT_ALERT_UNTIL_MS), ago(CHAT_ALERT_AFTER_MS), ago(CHAT_ALERT_EVERY_MS)]
  const failures: unknown[] = []
  for (const person of await staffToAlertOfChats(sql, { from, to, quietFrom, people })) {
    await requestNotification(alerting, person).catch((error) => {
      if (!isOutdated(error)) failures.push(error)
    })
  }
  // those after a person who cannot be notified were notified first
  if (failures.length > 0) throw failures[0]
}
