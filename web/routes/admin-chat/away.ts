import * as v from 'valibot'
import { requiredEmail } from '../../../events/base/text.ts'
import { storedForLater } from '../../staff/emails.ts'

const address = requiredEmail('No address')

/** Describes a visitor whose page is gone: whether a reply still reaches them. */
export const awayInWords = (email: string | null, { isEmailed }: { isEmailed: boolean }) => {
  if (!email) return 'Visitor has left, no email'
  if (!v.is(address, email)) return 'Not here now, and what they left is no email address'
  return isEmailed ? 'Visitor has left, reply will be emailed' : `Visitor has left. ${storedForLater('your reply')}`
}
