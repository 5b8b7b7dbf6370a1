import type { ChatSession } from '../../../events/wire/chat.ts'
import type { PageView } from '../../chat/console-state.ts'
import { PACKAGES } from '../../content/packages.ts'

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

const TITLES: Readonly<Record<string, string>> = {
  '/': 'Home',
  ...Object.fromEntries(PACKAGES.map(({ id, name }) => [`/contract/${id}`, name])),
  '/yourwebsiteproject': 'Your website project',
  '/yourwebsiteinfo': 'Website questionnaire',
  '/thanks': 'Thank you',
  '/privacy': 'Privacy',
}

/** What a page of our own is called, where it has a name; else its address. */
export const pageInWords = (pageUrl: string, ownHost = location.host) => {
  const name = pageName(pageUrl, ownHost)
  return TITLES[name.replace(/[?#].*$/, '').toLowerCase()] ?? name
}
