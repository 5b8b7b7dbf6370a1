import { seal, unseal } from '../../keys/seal.ts'
import { keysForReading } from '../../keys/subject-keys.ts'
import type { Queryable } from '../../log/decode.ts'
import type { ViewedPage } from '../activity.ts'
import type { ChatSession } from '../chat.ts'
import { chatKeyToWrite, keysOf } from './keys.ts'

/** How many pages of a chat are shown: the newest. */
export const MAX_SHOWN_PAGES = 50

/** How many pages of a chat are ever stored: a visitor who views more is no longer tracked. */
export const MAX_STORED_PAGES = 1_000

type PageRow = { sessionId: string; version: number; bytes: Buffer; viewedAt: Date }

const columns = (sql: Queryable) => sql`session_id as "sessionId", version, page_url as bytes, viewed_at as "viewedAt"`

/** Visitors write addresses: they are encrypted, as in the log, by the key of the chat's visitor. */
const SEALED_AS = 'chat page'

const sealedPage = async (sql: Queryable, sessionId: string, pageUrl: string): Promise<Buffer> =>
  seal(await chatKeyToWrite(sql, sessionId), SEALED_AS, pageUrl)

/** The pages of rows; those of erased people are left out. */
const readablePages = async (sql: Queryable, rows: PageRow[]): Promise<(ViewedPage & { sessionId: string })[]> => {
  const keys = await keysForReading(sql, keysOf(sql), [...new Set(rows.map(({ sessionId }) => sessionId))])
  return rows.flatMap(({ sessionId, version, bytes, viewedAt }) => {
    const key = keys.get(sessionId)
    if (!key) return []
    return [{ sessionId, version, pageUrl: unseal(key, SEALED_AS, bytes), timestamp: viewedAt.toISOString() }]
  })
}

const withoutSession = ({ sessionId: _, ...page }: ViewedPage & { sessionId: string }): ViewedPage => page

/** The newest pages that a chat's visitor went to, oldest first, at most MAX_SHOWN_PAGES. */
export const readPages = async (sql: Queryable, sessionId: string): Promise<ViewedPage[]> => {
  const rows = await sql<PageRow[]>`
    select ${columns(sql)} from chat_pages where session_id = ${sessionId} order by version desc limit ${MAX_SHOWN_PAGES}`
  return (await readablePages(sql, rows.toReversed())).map(withoutSession)
}

/** The newest page that the visitors of some chats went to, by session id; none for those who stayed on their first. */
export const readNewestPages = async (
  sql: Queryable,
  sessionIds: readonly string[],
): Promise<Map<string, ViewedPage>> => {
  const rows = await sql<PageRow[]>`
    select page.* from unnest(${sessionIds}::uuid[]) as chat (id)
    cross join lateral (
      select ${columns(sql)} from chat_pages where session_id = chat.id order by version desc limit 1
    ) page`
  return new Map((await readablePages(sql, rows)).map((page) => [page.sessionId, withoutSession(page)]))
}

/** The pages of some chats that were stored after a version of each, oldest first, by session id. */
export const readPagesAfter = async (
  sql: Queryable,
  after: ReadonlyMap<string, number>,
): Promise<Map<string, ViewedPage[]>> => {
  const rows = await sql<PageRow[]>`
    select page.* from unnest(${[...after.keys()]}::uuid[], ${[...after.values()]}::integer[]) as chat (id, after)
    cross join lateral (
      select ${columns(sql)} from chat_pages
      where session_id = chat.id and version > chat.after order by version desc limit ${MAX_SHOWN_PAGES}
    ) page
    order by page."sessionId", page.version`
  const chats = Map.groupBy(await readablePages(sql, rows), ({ sessionId }) => sessionId)
  return new Map([...chats].map(([id, pages]) => [id, pages.map(withoutSession)]))
}

/** The version of the newest page of a chat, 0 if there is none, as an expression of a larger query. */
export const pageVersionOf = (sql: Queryable, sessionId: string) =>
  sql`(select coalesce(max(version), 0) from chat_pages where session_id = ${sessionId})`

/**
 * Stores that a visitor is at a page now, once for any number of reports by their tabs and our nodes. Returns undefined
 * if nothing is stored: it is the same page again, there is none, the chat has been erased, or it has had
 * MAX_STORED_PAGES.
 */
export const notePage = async (
  sql: Queryable,
  { sessionId, pageUrl: firstPage }: Pick<ChatSession, 'sessionId' | 'pageUrl'>,
  pageUrl: string | null,
): Promise<ViewedPage | undefined> => {
  if (pageUrl === null) return undefined
  const bytes = await sealedPage(sql, sessionId, pageUrl)
  const [stored] = await sql<{ version: number; viewedAt: Date }[]>`
    select version, viewed_at as "viewedAt" from note_chat_page(
      ${sessionId}, ${bytes}, ${pageUrl === firstPage}, ${MAX_SHOWN_PAGES}, ${MAX_STORED_PAGES}
    )`
  return stored && { version: stored.version, pageUrl, timestamp: stored.viewedAt.toISOString() }
}
