const LINK_PREFIX = '#chat='
const LINK = /^#chat=([\w-]{36})\.([\w-]+)$/

/**
 * Moves the link of an email that resumes a chat, `/#chat=<sessionId>.<token>`, from the address into the chat's
 * element: a person who copies the address, and a program that reports it, get no token. Returns whether there was one.
 * Part of the page's first script, so it must be as small as possible.
 */
export const holdChatLink = (island: HTMLElement) => {
  const { hash, pathname, search } = location
  if (!hash.startsWith(LINK_PREFIX)) return false
  island.dataset.link = hash
  history.replaceState(history.state, '', pathname + search)
  return true
}

export type ChatLink = { sessionId: string; resumeToken: string }

/** Takes the stored link, once: the session that it resumes, or undefined if there is no complete one. */
export const popChatLink = (): ChatLink | undefined => {
  const island = document.querySelector<HTMLElement>('[data-link]')
  const [, sessionId, resumeToken] = LINK.exec(island?.dataset.link ?? '') ?? []
  island?.removeAttribute('data-link')
  return sessionId && resumeToken ? { sessionId, resumeToken } : undefined
}
