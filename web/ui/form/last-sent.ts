import { stored } from '../../client/stored.ts'
import { sentKey } from './form-storage.ts'

/** The sent lead, the time of sending, and the path of the private link to a contract's signed copy. */
export type Sent = { leadId: string; sentAt: string; copy?: string | undefined }

/**
 * The last lead sent by the form with this name, as long as the tab is open: a visitor who reloads or comes back still
 * sees the reference. If the browser refuses storage, it lasts as long as the page.
 */
export const sentOf = (name: string) =>
  stored(sentKey(name), 'tab', (value): Sent | undefined => {
    const { leadId, sentAt, copy } = value as Partial<Sent>
    return leadId && sentAt ? { leadId, sentAt, copy } : undefined
  })
