const HOME = '/admin-today'

/** The queues, for owners: a page of the nodes' own, to which links go as to another document. */
export const QUEUE_BOARD_PATH = '/admin-queues'

/** Where staff sign in. */
export const SIGN_IN_PATH = '/login'

/** The sign-in page, with the way back to where one was going, and whether one was signed in until then. */
export const signInAddress = (path: string, { hasEnded = false } = {}) =>
  `${SIGN_IN_PATH}?next=${encodeURIComponent(path)}${hasEnded ? '&ended=true' : ''}`

/** Whether one came to the sign-in page because the session has ended. */
export const hasSessionEnded = (search: string) => new URLSearchParams(search).get('ended') === 'true'

/** Where to go after sign-in: back, but never to another site (`next` comes from the address, anyone can write it). */
export const afterSignIn = (search: string) => {
  const next = new URLSearchParams(search).get('next') ?? HOME
  const here = 'http://here.invalid'
  if (!URL.canParse(next, here)) return HOME
  const { origin, pathname, search: query, hash } = new URL(next, here)
  return origin === here && /^\/admin-[a-z-]+\/?$/i.test(pathname) ? pathname + query + hash : HOME
}
