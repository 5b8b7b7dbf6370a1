import type { AnyRecordedEvent } from '../../events/catalogue.ts'
import { type ChatMessage, chatMessage, messageStream } from '../../events/chat.ts'
import type { Sql } from '../../events/log/connection.ts'
import { readNewest, readStream } from '../../events/log/read.ts'

/** A page of a chat's messages: all of an ordinary chat, and what even a slow line takes within seconds. */
const PAGE_MESSAGES = 500
const PAGE_CHARACTERS = 200_000
/** So many are read of the log at a time: by fewer than these a page may be longer. */
const READ_MESSAGES = 50

const messagesOf = (events: AnyRecordedEvent[]) =>
  events.flatMap((event) => (event.type === 'ChatMessagePosted' ? [chatMessage(event)] : []))

const isFull = (page: ChatMessage[]) =>
  page.length >= PAGE_MESSAGES || page.reduce((sum, { message }) => sum + message.length, 0) >= PAGE_CHARACTERS

/** A session's messages after a sequence number, in order: the first page of them. */
export const readPageAfter = async (sql: Sql, sessionId: string, after: number): Promise<ChatMessage[]> => {
  const page: ChatMessage[] = []
  for (;;) {
    const from = page.at(-1)?.sequence ?? after
    const more = messagesOf(await readStream(sql, messageStream(sessionId), { after: from, limit: READ_MESSAGES }))
    page.push(...more)
    if (more.length < READ_MESSAGES || isFull(page)) return page
  }
}

/** A session's messages before a sequence number, or all of them, in order: the last page of them. */
export const readPageBefore = async (sql: Sql, sessionId: string, before?: number): Promise<ChatMessage[]> => {
  let page: ChatMessage[] = []
  for (;;) {
    const upTo = page[0]?.sequence ?? before
    const newest = { limit: READ_MESSAGES, ...(upTo !== undefined && { before: upTo }) }
    const more = messagesOf(await readNewest(sql, messageStream(sessionId), newest))
    page = [...more, ...page]
    if (more.length < READ_MESSAGES || isFull(page)) return page
  }
}
