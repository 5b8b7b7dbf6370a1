const HOME = '/admin-today'

/** The queues, for owners: a page of the nodes' own, so links lead to another document. */
export const QUEUE_BOARD_PATH = '/admin-queues'

export const SIGN_IN_PATH = '/login'

/** The address of the sign-in page, with the way back to the requested screen, and whether a session has just ended. */
export const signInAddress = (path: string, { hasEnded = false } = {}) =>
  `${SIGN_IN_PATH}?next=${encodeURIComponent(path)}${hasEnded ? '&ended=true' : ''}`

export const hasSessionEnded = (search: string) => new URLSearchParams(search).get('ended') === 'true'

/** The address after sign-in: back, but never to another site, as anyone can write `next`. */
export const afterSignIn = (search: string) => {
  const next = new URLSearchParams(search).get('next') ?? HOME
  const base = 'http://here.invalid'
  if (!URL.canParse(next, base)) return HOME
  const { origin, pathname, search: query, hash } = new URL(next, base)
  return origin === base && /^\/admin-[a-z-]+(\/[a-z-]*)?$/i.test(pathname) ? pathname + query + hash : HOME
}
