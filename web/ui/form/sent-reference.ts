import { referenceOf } from '../../../events/base/reference.ts'
import { serverNow } from '../../client/server-time.ts'
import { stored } from '../../client/stored.ts'

/** The session storage key of the last reference, for the thank-you page. */
export const SENT_REFERENCE_KEY = 'sent-reference'

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)
const sentReference = stored(SENT_REFERENCE_KEY, 'tab', textOf)
const storedSentAt = stored('sent-at', 'tab', textOf)

/** Stores the reference of a lead sent now, for the thank-you page. */
export const storeSentReference = (leadId: string) => {
  sentReference.keep(referenceOf(leadId))
  storedSentAt.keep(serverNow().toISOString())
}

/** The time of this tab's last sent form; undefined if there is none or it cannot be read. */
export const sentAt = (): Date | undefined => {
  const at = storedSentAt.read()
  return at === undefined ? undefined : new Date(at)
}
