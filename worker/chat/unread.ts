import * as v from 'valibot'
import { requiredEmail } from '../../events/base/text.ts'
import { chatActivityStreams, chatAnswersUnread, UNREAD_UNTIL_MS } from '../../events/chat/activity.ts'
import { unreadAnswers } from '../../events/chat/progress.ts'
import { unreadChats } from '../../events/chat/store/list.ts'
import { readChat } from '../../events/chat/store/read-chat.ts'
import { readReceiptsOf } from '../../events/chat/store/receipts.ts'
import { deterministicUuid } from '../../events/log/event-id.ts'
import { handle } from '../../events/log/handle.ts'
import type { Chatting } from './chatting.ts'

/** How long after the last reply a visitor who has not seen it counts as gone. */
export const UNREAD_AFTER_MS = 5 * 60 * 1000

const MAX_CHATS = 200

const address = requiredEmail('An address to send to')

/**
 * Requests the emails with the replies that visitors have left unseen: appends ChatAnswersUnread, once per reply,
 * however many workers do it. The log and the receipts decide, not the view, which may lag behind. A reply that is seen
 * after that is found when the email is about to go out: it is not sent then.
 */
export const noteUnreadAnswers = async (
  { sql, log, logger }: Chatting,
  { now, unreadAfterMs = UNREAD_AFTER_MS }: { now: Date; unreadAfterMs?: number },
): Promise<void> => {
  const to = new Date(now.getTime() - unreadAfterMs)
  const from = new Date(now.getTime() - UNREAD_UNTIL_MS)
  for (const sessionId of await unreadChats(sql, { from, to }, MAX_CHATS)) {
    const { appended, isNew } = await handle(log, {
      read: async () => {
        const { chat, activity } = await readChat(sql, sessionId)
        const receipts = await readReceiptsOf(sql, sessionId)
        return { chat, receipts, stream: chatActivityStreams.of(sessionId), version: activity }
      },
      decide: ({ chat, receipts }) => {
        const unread = chat && unreadAnswers(chat.progress, receipts.visitor.seen)
        if (!unread || unread.since >= to.toISOString()) return undefined
        const visitor = v.safeParse(address, chat.session.visitorEmail)
        if (!visitor.success) return undefined
        const { after, upTo } = unread
        const about = { subjectId: sessionId, personal: { to: visitor.output } }
        return {
          id: deterministicUuid('answers unread', sessionId, String(upTo)),
          ...chatAnswersUnread({ after, upTo }, about),
        }
      },
      isOnce: true,
    })
    if (appended && isNew) logger.info({ sessionId, eventId: appended.id }, 'unread replies recorded')
  }
}
