import { referenceOf } from '../../../events/reference.ts'
import { serverNow } from '../../server-time.ts'

/** Where the tab keeps the reference of what was sent last; the thank-you page shows it. */
export const SENT_REFERENCE_KEY = 'sent-reference'

/** Where the tab keeps when that was. */
const SENT_AT_KEY = 'sent-at'

/** Keeps the reference of a lead that was sent now, for the thank-you page. */
export const keepSentReference = (leadId: string) => {
  try {
    sessionStorage.setItem(SENT_REFERENCE_KEY, referenceOf(leadId))
    sessionStorage.setItem(SENT_AT_KEY, serverNow().toISOString())
  } catch {
    // a device that keeps nothing
  }
}

/** When this tab sent something last; undefined where it has not, or cannot tell. */
export const sentAt = (): Date | undefined => {
  try {
    const at = sessionStorage.getItem(SENT_AT_KEY)
    return at ? new Date(at) : undefined
  } catch {
    return undefined
  }
}
