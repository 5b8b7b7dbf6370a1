import { chatEnded, chatStreams, OPEN_CHAT_VERSION } from '../../events/chat/chat.ts'
import { publishNotification } from '../../events/chat/store/chat-notifications.ts'
import { silentChats } from '../../events/chat/store/list.ts'
import { readChat } from '../../events/chat/store/read-chat.ts'
import { deterministicUuid } from '../../events/log/event-id.ts'
import { handle } from '../../events/log/handle.ts'
import type { Chatting } from './chatting.ts'

/** How long a chat without messages stays open until it ends by itself. */
export const IDLE_AFTER_MS = 24 * 60 * 60 * 1000

/** How many chats end in one sweep at most; the rest end in the next. */
const MAX_CHATS = 200

/**
 * Ends the chats that have fallen silent, and notifies those who are still in them. The log decides, because the view
 * may lag behind.
 */
export const endIdleChats = async (
  { sql, log, bus, logger }: Chatting,
  { now, idleAfterMs = IDLE_AFTER_MS }: { now: Date; idleAfterMs?: number },
): Promise<void> => {
  const silentSince = new Date(now.getTime() - idleAfterMs)
  for (const sessionId of await silentChats(sql, silentSince, MAX_CHATS)) {
    const { appended, isNew } = await handle(log, {
      read: async () => ({
        ...(await readChat(sql, sessionId)),
        stream: chatStreams.of(sessionId),
        version: OPEN_CHAT_VERSION,
      }),
      decide: ({ chat }) => {
        if (!chat?.session.isActive || chat.progress.lastActivity >= silentSince.toISOString()) return undefined
        return { id: deterministicUuid('chat idle', sessionId), ...chatEnded({ endedBy: 'idle' }) }
      },
    })
    if (!appended) continue
    if (isNew) logger.info({ sessionId, eventId: appended.id }, 'idle chat ended')
    await publishNotification(bus, appended)
  }
}
