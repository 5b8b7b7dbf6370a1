import { type ChatMessage, chatMessage, messageStreams } from '../../events/chat.ts'
import type { Sql } from '../../events/log/connection.ts'
import { readNewest, readStream } from '../../events/log/read.ts'

/** A page of a chat's messages: all of an ordinary chat, and what even a slow line takes within seconds. */
const PAGE_MESSAGES = 500
const PAGE_CHARACTERS = 200_000
/** How many are read from the log at a time: a page may be longer than its limit by fewer than these. */
const READ_MESSAGES = 50

const isFull = (page: ChatMessage[]) =>
  page.length >= PAGE_MESSAGES || page.reduce((sum, { message }) => sum + message.length, 0) >= PAGE_CHARACTERS

/** A session's messages after a sequence number, in order: the first page of them. */
export const readPageAfter = async (sql: Sql, sessionId: string, after: number): Promise<ChatMessage[]> => {
  const page: ChatMessage[] = []
  for (;;) {
    const from = page.at(-1)?.sequence ?? after
    const more = await readStream(sql, messageStreams.of(sessionId), { after: from, limit: READ_MESSAGES })
    page.push(...more.map(chatMessage))
    if (more.length < READ_MESSAGES || isFull(page)) return page
  }
}

/**
 * A session's messages before a sequence number, or all of them, in order: the last page of them. It goes back no further than
 * to the message `after`, give or take READ_MESSAGES.
 */
export const readPageBefore = async (
  sql: Sql,
  sessionId: string,
  { before: end, after = 0 }: { before?: number | undefined; after?: number | undefined } = {},
): Promise<ChatMessage[]> => {
  let page: ChatMessage[] = []
  for (;;) {
    const upTo = page[0]?.sequence ?? end
    const newest = { limit: READ_MESSAGES, ...(upTo !== undefined && { before: upTo }) }
    const more = await readNewest(sql, messageStreams.of(sessionId), newest)
    page = [...more.map(chatMessage), ...page]
    const isBack = (page[0]?.sequence ?? 0) <= after + 1
    if (more.length < READ_MESSAGES || isBack || isFull(page)) return page
  }
}
