import { referenceOf } from '../../../events/reference.ts'
import { serverNow } from '../../server-time.ts'

/** The session storage key of the last reference, for the thank-you page. */
export const SENT_REFERENCE_KEY = 'sent-reference'

/** The session storage key of its time. */
const SENT_AT_KEY = 'sent-at'

/** Stores the reference of a lead sent now, for the thank-you page. */
export const keepSentReference = (leadId: string) => {
  try {
    sessionStorage.setItem(SENT_REFERENCE_KEY, referenceOf(leadId))
    sessionStorage.setItem(SENT_AT_KEY, serverNow().toISOString())
  } catch {
    // the device refuses storage
  }
}

/** The time of this tab's last sent form; undefined if there is none or it cannot be read. */
export const sentAt = (): Date | undefined => {
  try {
    const at = sessionStorage.getItem(SENT_AT_KEY)
    return at ? new Date(at) : undefined
  } catch {
    return undefined
  }
}
