import type { ChatSession } from '../../../events/chat/wire.ts'
import { SITE_PAGES } from '../../../events/settings/site-pages.ts'
import type { PageView } from '../../chat/console/console-state.ts'

/**
 * The pages of a visitor, oldest first: what was fetched, or at least the one that the chat began on, and what came
 * since.
 */
export const pagesOf = (session: ChatSession, fetched: readonly PageView[] | undefined, live: readonly PageView[]) => {
  const first = session.pageUrl ? [{ pageUrl: session.pageUrl, timestamp: session.startTime }] : []
  const known = new Map([...(fetched ?? first), ...live].map((page) => [`${page.timestamp} ${page.pageUrl}`, page]))
  return [...known.values()].sort((a, b) => a.timestamp.localeCompare(b.timestamp))
}

/** A page of our own without its host, anybody else's whole. */
export const pageName = (pageUrl: string, ownHost = location.host) => {
  try {
    const { host, pathname, search } = new URL(pageUrl)
    return host === ownHost ? pathname + search : pageUrl
  } catch {
    return pageUrl
  }
}

const TITLES = new Map<string, string>(SITE_PAGES.map(({ path, name }) => [path, name]))

/** What a page of our own is called, where it has a name; else its address. */
export const pageInWords = (pageUrl: string, ownHost = location.host) => {
  const name = pageName(pageUrl, ownHost)
  return TITLES.get(name.replace(/[?#].*$/, '').toLowerCase()) ?? name
}
