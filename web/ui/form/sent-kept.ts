import { sentKey } from './draft-kept.ts'

/** What was sent, and when. */
export type Sent = { leadId: string; sentAt: string }

/**
 * What the form with this name has sent, as long as the tab: who reloads the page, or comes back to it, still reads the
 * reference. Where the browser refuses storage it lasts as long as the page.
 */
export const sentOf = (name: string) => {
  const key = sentKey(name)
  return {
    read: (): Sent | undefined => {
      try {
        const { leadId, sentAt }: Partial<Sent> = JSON.parse(sessionStorage.getItem(key) ?? '{}')
        return leadId && sentAt ? { leadId, sentAt } : undefined
      } catch {
        return undefined
      }
    },
    keep: (sent: Sent) => {
      try {
        sessionStorage.setItem(key, JSON.stringify(sent))
      } catch {
        // it shows until the page is left
      }
    },
    discard: () => {
      try {
        sessionStorage.removeItem(key)
      } catch {
        // nothing was kept
      }
    },
  }
}
