import type { AnyRecordedEvent } from '../../../events/catalogue.ts'
import { type ChatMessage, chatMessage, messageStreams } from '../../../events/chat/chat.ts'
import { chatLinksStreams } from '../../../events/chat/links.ts'
import { readNewest, readParts, readStream } from '../../../events/log/read.ts'
import type { Sql } from '../../../events/stores/connection.ts'

/**
 * The size of a page of a chat's messages: all of an ordinary chat, and what even a slow connection takes within
 * seconds.
 */
const PAGE_MESSAGES = 500
const PAGE_CHARACTERS = 200_000
/** The number of messages read from the log at a time: a page may exceed its limit by fewer than these. */
const READ_MESSAGES = 50

const isFull = (page: ChatMessage[]) =>
  page.length >= PAGE_MESSAGES || page.reduce((sum, { message }) => sum + message.length, 0) >= PAGE_CHARACTERS

/** Reads a session's messages until the current page is full or there are no more. */
const fillPage = async (sql: Sql, sessionId: string, page: ChatMessage[], after: number): Promise<ChatMessage[]> => {
  for (;;) {
    const from = page.at(-1)?.sequence ?? after
    const more = await readStream(sql, messageStreams.of(sessionId), { after: from, limit: READ_MESSAGES })
    page.push(...more.map(chatMessage))
    if (more.length < READ_MESSAGES || isFull(page)) return page
  }
}

/**
 * The first page for a visitor who comes by a link, and whether the links of its generation are revoked. A short page
 * takes one query.
 */
export const readEntry = async (
  sql: Sql,
  sessionId: string,
  { afterSequence, generation }: { afterSequence: number; generation: number },
): Promise<{ messages: ChatMessage[]; isRevoked: boolean }> => {
  const links = chatLinksStreams.of(sessionId)
  const events = await readParts<AnyRecordedEvent>(
    sql,
    [
      { stream: messageStreams.of(sessionId), after: afterSequence, limit: READ_MESSAGES },
      { stream: links, after: generation, limit: 1 },
    ],
    'oldest',
  )
  const first = events.filter((event) => event.type === 'ChatMessagePosted').map(chatMessage)
  const isPage = first.length < READ_MESSAGES || isFull(first)
  const messages = isPage ? first : await fillPage(sql, sessionId, first, afterSequence)
  return { messages, isRevoked: events.some(({ stream }) => stream === links) }
}

/**
 * The last page of a session's messages, in order: those before a sequence number, or all. It reaches back no further
 * than to the message `after`, give or take READ_MESSAGES.
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
