import { Link } from 'react-router'
import { nameOf } from '../../../events/base/name-of.ts'
import type { ListedEmail } from '../../../events/email/wire.ts'
import { useMe } from '../../staff/account/account.ts'
import { Chip } from '../../staff/chip.tsx'
import { shortMomentOf } from '../../staff/day.ts'
import { EMAIL_STATES } from '../../staff/email/email-states.ts'
import { countInWords, resendEmail, useEmailSummary, useSendsTo } from '../../staff/email/emails.ts'
import { useGoTo } from '../../staff/go-to.ts'
import { leadAddress } from '../../staff/leads/address.ts'
import { useBusy } from '../../staff/requests/use-busy.ts'
import { sectionPath } from '../../staff/settings/section-titles.ts'
import { Banner } from '../../staff/shell/banner.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { toast } from '../../ui/toast/toasts.ts'
import { FROM_TODAY } from './from-today.ts'
import { Row } from './section.tsx'

export const ATTENTION = '/admin-email?state=attention'

/** If email is not set up, the email would only return to the outbox; an unreadable one cannot be sent. */
const canBeSent = ({ state, isUnreadable }: ListedEmail, isPossible: boolean) =>
  !isUnreadable && (state !== 'outbox' || isPossible)

export const EmailRow = ({ email, onChanged }: { email: ListedEmail; onChanged: () => void }) => {
  const { isBusy, run } = useBusy('Not sent again')
  const isPossible = useSendsTo(email.recipient) !== false
  const { leadId } = email.about
  const toLead = useGoTo(leadAddress(leadId ?? ''), FROM_TODAY)
  const title = email.person ? `${email.subject}, ${email.person}` : email.subject
  const resend = async () => {
    const isSent = await run(() => resendEmail(email))
    if (isSent) toast({ title: 'Sending again', description: 'The email screen shows once it has gone out.' })
    onChanged()
  }
  return (
    <Row
      id={email.id}
      title={<Link to={ATTENTION}>{email.subject}</Link>}
      actions={
        <>
          {leadId && (
            <ButtonLink look="quiet" {...toLead} aria-label={`Open lead: ${title}`}>
              Open lead
            </ButtonLink>
          )}
          {canBeSent(email, isPossible) && (
            <Button look="quiet" aria-disabled={isBusy} onClick={resend} aria-label={`Send again: ${title}`}>
              {isBusy ? 'Asking...' : 'Send again'}
            </Button>
          )}
        </>
      }
    >
      <Chip tone="bad">{nameOf(EMAIL_STATES, email.state)}</Chip>
      {email.isContract && <Chip tone="done">Contract signed</Chip>}
      {email.person && <span css={{ overflowWrap: 'anywhere' }}>{email.person}</span>}
      <time dateTime={email.askedAt}>{shortMomentOf(email.askedAt)}</time>
    </Row>
  )
}

/** Whether an email was never sent, as nothing was set up to send it. */
export const isUnsent = ({ state }: ListedEmail) => state === 'outbox'

/** Shows how many emails were not sent, as nothing is set up to send them: all, not only the `known` of contracts. */
export const NotSetUp = ({ known }: { known: number }) => {
  const { data: me } = useMe()
  const { data } = useEmailSummary()
  const unsent = Math.max(known, data?.outbox ?? 0)
  return (
    <Banner title="Email is not set up">
      <p css={{ flex: '1 1 16rem' }}>
        {unsent === 1 ? '1 email was' : `${countInWords(unsent)} emails were`} not sent.
      </p>
      {me?.role === 'owner' ? (
        <Link to={sectionPath('email')}>Set it up</Link>
      ) : (
        <Link to="/admin-email?state=outbox">Look at them</Link>
      )}
    </Banner>
  )
}
