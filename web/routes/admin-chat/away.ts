import * as v from 'valibot'
import { requiredEmail } from '../../../events/text.ts'

const address = requiredEmail('No address')

/** What has become of a visitor whose page is gone, in words: whether an answer reaches them all the same. */
export const awayInWords = (email: string | null) => {
  if (!email) return 'Visitor has left, no email'
  return v.is(address, email)
    ? 'Visitor has left, reply will be emailed'
    : 'Not here now, and what they left is no email address'
}
