import type { Logger } from 'pino'
import type { Appender } from '../../events/log/append.ts'
import type { Bus } from '../../events/log/bus.ts'
import { expireChatPresence } from '../../events/log/chat-presence.ts'
import type { Sql } from '../../events/log/connection.ts'
import { runWith, systemContext } from '../../events/log/context.ts'
import { endIdleChats } from './idle.ts'
import { noteUnreadAnswers } from './unread.ts'

const ROUND_EVERY_MS = 30_000

/** What looking after chats works with. */
export type Chatting = { sql: Sql; log: Appender; bus: Bus; logger: Pick<Logger, 'info' | 'error'> }

/**
 * Looks through the chats every half a minute, one round at a time: sends what is unread, ends what is silent, deletes
 * what has expired. Any number of workers may do so at once.
 */
export const startChatRounds = (
  chatting: Chatting,
  { everyMs = ROUND_EVERY_MS }: { everyMs?: number } = {},
): { stop: () => Promise<void> } => {
  let round = Promise.resolve()
  let isAtWork = false

  const look = async () => {
    isAtWork = true
    try {
      await noteUnreadAnswers(chatting, { now: new Date() })
      await endIdleChats(chatting, { now: new Date() })
      await expireChatPresence(chatting.sql, { now: new Date() })
    } catch (error) {
      chatting.logger.error({ err: error }, 'chats could not be looked through, trying again')
    } finally {
      isAtWork = false
    }
  }

  const timer = setInterval(() => {
    if (!isAtWork) round = runWith(systemContext('chat-rounds'), look)
  }, everyMs)
  return {
    stop: async () => {
      clearInterval(timer)
      await round
    },
  }
}
