import { referenceOf } from '../../../events/reference.ts'

/** Where the tab keeps the reference of what was sent last; the thank-you page shows it. */
export const SENT_REFERENCE_KEY = 'sent-reference'

/** Keeps the reference of a lead for the thank-you page. */
export const keepSentReference = (leadId: string) => {
  try {
    sessionStorage.setItem(SENT_REFERENCE_KEY, referenceOf(leadId))
  } catch {
    // a device that keeps nothing
  }
}
