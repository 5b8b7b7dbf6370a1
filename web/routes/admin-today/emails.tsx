import { useState } from 'react'
import { Link } from 'react-router'
import { nameOf } from '../../../events/name-of.ts'
import type { ListedEmail } from '../../../events/wire/email.ts'
import type { Today } from '../../../events/wire/today.ts'
import { EMAIL_STATES } from '../../staff/email-states.ts'
import { countInWords, resendEmail } from '../../staff/emails.ts'
import { Chip } from '../../staff/leads/chip.tsx'
import { shortMomentOf } from '../../staff/leads/day.ts'
import { reasonOf } from '../../staff/refusal.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast/toasts.ts'
import { Row, Section } from './section.tsx'

const STUCK = '/admin-email?state=stuck'

const EmailRow = ({ email, onChanged }: { email: ListedEmail; onChanged: () => void }) => {
  const [isAsking, setAsking] = useState(false)
  const resend = async () => {
    if (isAsking) return
    setAsking(true)
    try {
      await resendEmail(email)
      toast({
        title: 'Sending again',
        description: 'The email screen shows once it has gone out.',
        variant: 'default',
      })
    } catch (error) {
      toast({ title: 'Not sent again', description: reasonOf(error), variant: 'destructive' })
    }
    setAsking(false)
    onChanged()
  }
  return (
    <Row
      title={<Link to={STUCK}>{email.subject}</Link>}
      actions={
        <Button look="quiet" aria-disabled={isAsking} onClick={resend} aria-label={`Send again: ${email.subject}`}>
          {isAsking ? 'Asking...' : 'Send again'}
        </Button>
      }
    >
      <Chip tone="bad">{nameOf(EMAIL_STATES, email.state)}</Chip>
      {email.person && <span css={{ overflowWrap: 'anywhere' }}>{email.person}</span>}
      <time dateTime={email.askedAt}>{shortMomentOf(email.askedAt)}</time>
    </Row>
  )
}

/** The emails that need somebody; nothing where there are none. */
export const EmailSection = ({
  found: { count, emails },
  onChanged,
}: {
  found: Today['emails']
  onChanged: () => void
}) =>
  emails.length === 0 ? null : (
    <Section id="stuck-emails" title="Emails that need attention" count={countInWords(count)} isUrgent all={STUCK}>
      {emails.map((email) => (
        <EmailRow key={email.id} email={email} onChanged={onChanged} />
      ))}
    </Section>
  )
