import type { ReactNode } from 'react'
import type { NewWord } from '../../../events/base/word.ts'
import type { ListedEmail } from '../../../events/email/wire.ts'
import { useSendsTo } from '../../staff/email/emails.ts'

const UNREADABLE =
  'The data key of this person is lost, so the email can be neither read nor sent. With the key back from a backup, it can.'

/** The advice about an email that found no server: it depends on whether one is set up now, if that is known. */
const outboxAdvice = (recipient: ListedEmail['recipient'], isSetUp: boolean | undefined) => {
  if (isSetUp === undefined) return 'Email wasn’t set up, so it was not sent. Once it is, send it again.'
  if (isSetUp) return 'Email wasn’t set up then, so it was not sent. It is set up now: send it again.'
  return recipient === 'agency'
    ? 'Email isn’t set up. It goes out once it is.'
    : 'This site has no mail server, so it can’t send this. Once one is set up, it goes out by itself for a week.'
}

const adviceFor = (
  { state, recipient, isErased, isUnreadable, areKeysAway, isStuck }: ListedEmail,
  isSetUp?: boolean,
): ReactNode => {
  if (isErased) return 'This person has been erased: there is nothing left to send.'
  if (areKeysAway) return 'The data keys cannot be reached. This is shown again, and can be sent, once they can.'
  if (isUnreadable) return UNREADABLE
  switch (state) {
    case 'needs_activation':
      return (
        <>
          The email service wants the agency’s address confirmed. Look for its message in the inbox and follow the link
          in it, or <a href="/test-form">have it sent again</a>. Queued emails then send automatically.
        </>
      )
    case 'blocked':
      return (
        <>
          The service does not take email from this website. Check its address and password in the settings of the
          server, and <a href="/test-form">try it with a test submission</a>. It is tried again every hour.
        </>
      )
    case 'rejected':
      return recipient === 'visitor'
        ? 'The visitor’s address rejected it. It is not tried again by itself. "Send again" uses the same address: where that is wrong, correct it on the lead and write again from there.'
        : 'It was refused and is not tried again by itself. See below what was answered, then send it again.'
    case 'expired':
      return recipient === 'visitor'
        ? 'The other side was busy for four days. It is not tried again by itself. Send it again if the visitor still needs it.'
        : 'The other side was busy for four days. It is not tried again by itself. Send it again once it takes email.'
    case 'uncertain':
      return recipient === 'visitor'
        ? 'It was sent three times and none of them got a clear answer, so it may have arrived. It is not tried again by itself. After "Send again" the visitor may get it twice.'
        : 'It was sent three times and none of them got a clear answer, so it may have arrived. It is not tried again by itself. Look in the inbox first: after "Send again" it may be there twice.'
    case 'partial':
      return 'Some inboxes have it and others refused it. It is not tried again by itself. Correct the addresses in the settings, then "Send again" sends it only to those that do not have it yet.'
    case 'outbox':
      return outboxAdvice(recipient, isSetUp)
    case 'pending':
    case 'retrying':
      return (
        isStuck && 'It has waited for more than a quarter of an hour. It is sent automatically as soon as possible.'
      )
    case 'delivered':
      return null
    default:
      state satisfies NewWord
      return null
  }
}

/** Advice about an email in a sentence or two; nothing if there is nothing to do. */
export const Advice = ({ email }: { email: ListedEmail }) => {
  const isSetUp = useSendsTo(email.recipient)
  const advice = adviceFor(email, isSetUp)
  return advice && <p css={{ maxWidth: '44rem' }}>{advice}</p>
}
