import * as v from 'valibot'
import { requiredEmail } from '../../../events/text.ts'

const address = requiredEmail('No address')

/** What has become of a visitor whose page is gone, in words: whether an answer reaches them all the same. */
export const awayInWords = (email: string | null) => {
  if (!email) return 'Not here now, and left no e-mail address'
  return v.is(address, email)
    ? 'Not here now; gets your answer by e-mail'
    : 'Not here now, and what they left is no e-mail address'
}
