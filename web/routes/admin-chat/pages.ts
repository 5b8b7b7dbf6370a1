import type { ChatSession } from '../../../events/chat/wire.ts'
import { SITE_PAGES } from '../../../events/settings/chat-page-names.ts'
import type { PageView } from '../../chat/console/console-state.ts'

/**
 * The pages of a visitor, oldest first: the fetched ones, or at least the one on which the chat began, and the later
 * ones.
 */
export const pagesOf = (session: ChatSession, fetched: readonly PageView[] | undefined, live: readonly PageView[]) => {
  const first = session.pageUrl ? [{ pageUrl: session.pageUrl, timestamp: session.startTime }] : []
  const known = new Map([...(fetched ?? first), ...live].map((page) => [`${page.timestamp} ${page.pageUrl}`, page]))
  return [...known.values()].sort((a, b) => a.timestamp.localeCompare(b.timestamp))
}

/** A page of our own site without its host; any other with it. */
export const pageName = (pageUrl: string, ownHost = location.host) => {
  try {
    const { host, pathname, search } = new URL(pageUrl)
    return host === ownHost ? pathname + search : pageUrl
  } catch {
    return pageUrl
  }
}

const TITLES = new Map<string, string>(SITE_PAGES.map(({ path, name }) => [path, name]))

/** The name of a page of our own site, if it has one; else its address. */
export const pageInWords = (pageUrl: string, ownHost = location.host) => {
  const name = pageName(pageUrl, ownHost)
  return TITLES.get(name.replace(/[?#].*$/, '').toLowerCase()) ?? name
}
