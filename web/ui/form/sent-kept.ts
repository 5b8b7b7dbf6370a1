import { sentKey } from './draft-kept.ts'

/** The sent lead and the time of sending. */
export type Sent = { leadId: string; sentAt: string }

/**
 * The last lead sent by the form with this name, as long as the tab is open: a visitor who reloads or comes back still
 * sees the reference. If the browser refuses storage, it lasts as long as the page.
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
        // nothing was stored
      }
    },
  }
}
