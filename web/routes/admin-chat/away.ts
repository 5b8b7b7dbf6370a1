import * as v from 'valibot'
import { requiredEmail } from '../../../events/text.ts'

const address = requiredEmail('No address')

/** What has become of a visitor whose page is gone, in words: whether an answer reaches them all the same. */
export const awayInWords = (email: string | null, { sendsEmail }: { sendsEmail: boolean }) => {
  if (!email) return 'Visitor has left, no email'
  if (!v.is(address, email)) return 'Not here now, and what they left is no email address'
  return sendsEmail
    ? 'Visitor has left, reply will be emailed'
    : 'Visitor has left. Email isn’t set up: your reply is kept on the Email screen, to be sent from there later'
}
