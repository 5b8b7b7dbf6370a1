import type { AnyRecordedEvent } from '../catalogue.ts'
import { chatStream, messageStream } from '../chat.ts'
import { chatDeskStream } from '../chat-desk.ts'
import { type ChatEvent, type ChatSummary, evolveChat } from '../chat-summary.ts'
import { type Queryable, readNewest, readStream } from './read.ts'

const PAGE_EVENTS = 1_000

/** Of all that was said, the last message of either side is what a summary knows. */
const lastMessages = async (sql: Queryable, sessionId: string) => {
  const lastOf = (senderType: string) => readNewest(sql, messageStream(sessionId), { limit: 1, data: { senderType } })
  return [...(await lastOf('visitor')), ...(await lastOf('admin'))]
}

// what became of the chat's e-mails stands in its desk's stream too
const isChatEvent = (event: AnyRecordedEvent): event is ChatEvent & AnyRecordedEvent => event.type.startsWith('Chat')

/**
 * How far a chat has come by the log, with the version that its desk's stream has; undefined where there is none. Holds a
 * page of the log at a time, however much was said in it.
 */
export const readChat = async (
  sql: Queryable,
  sessionId: string,
): Promise<{ chat: ChatSummary | undefined; desk: number }> => {
  const others = [...(await readStream(sql, chatStream(sessionId))), ...(await lastMessages(sql, sessionId))]
  let chat: ChatSummary | undefined
  let desk = 0
  let reached = 0
  for (;;) {
    const page = await readStream(sql, chatDeskStream(sessionId), { after: desk, limit: PAGE_EVENTS })
    const last = page.at(-1)
    const end = page.length === PAGE_EVENTS && last ? last.position : Number.POSITIVE_INFINITY
    const between = others.filter(({ position }) => position > reached && position <= end)
    const events = [...page, ...between].filter(isChatEvent).sort((one, other) => one.position - other.position)
    chat = events.reduce<ChatSummary | undefined>(evolveChat, chat)
    desk = last?.version ?? desk
    reached = end
    if (end === Number.POSITIVE_INFINITY) return { chat, desk }
  }
}

/** Whether a chat has been erased, whatever of it is still to be forgotten. */
export const isErased = async (sql: Queryable, sessionId: string): Promise<boolean> =>
  (await readNewest(sql, chatDeskStream(sessionId), { limit: 1, types: ['ChatErased'] })).length > 0
