import { chatStream } from '../../events/chat.ts'
import { publishNews } from '../../events/log/chat-news.ts'
import { LogError } from '../../events/log/errors.ts'
import { idFromKey } from '../../events/log/event-id.ts'
import { readChat } from '../../events/log/read-chat.ts'
import { silentChats } from '../../events/projections/chat-list.ts'
import type { Chatting } from './rounds.ts'

/** A chat in which nobody has written for so long ends by itself. */
export const IDLE_AFTER_MS = 24 * 60 * 60 * 1000

/** So many chats end in one round at most; the rest end in the next. */
const MAX_CHATS = 200

/** Ends the chats that have fallen silent, and tells who is still in them. Decided by the log: the view may lag behind. */
export const endIdleChats = async (
  { sql, log, bus, logger }: Chatting,
  { now, idleAfterMs = IDLE_AFTER_MS }: { now: Date; idleAfterMs?: number },
): Promise<void> => {
  const silentSince = new Date(now.getTime() - idleAfterMs)
  for (const sessionId of await silentChats(sql, silentSince, MAX_CHATS)) {
    const { chat } = await readChat(sql, sessionId)
    if (!chat?.session.isActive || chat.progress.lastActivity >= silentSince.toISOString()) continue
    const event = { type: 'ChatEnded' as const, data: { endedBy: 'idle' as const }, subjectId: null, personal: null }
    const eventId = idFromKey('chat idle', sessionId)
    try {
      const request = { stream: chatStream(sessionId), expectedVersion: 1, events: [{ id: eventId, ...event }] }
      if (!(await log.append(request)).isKnown) logger.info({ sessionId, eventId }, 'idle chat ended')
    } catch (error) {
      const hasEnded = error instanceof LogError && error.code === 'wrong_version'
      if (!hasEnded) throw error
    }
    await publishNews(bus, { kind: 'ended', sessionId })
  }
}
