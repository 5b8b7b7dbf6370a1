import { Link } from 'react-router'
import { countInWords, useEmailSummary } from '../email/emails.ts'
import { Banner } from './banner.tsx'
import { CountBadge } from './count-badge.tsx'

const STUCK_PATH = '/admin-email?state=stuck'

/** Shows on the dashboard that emails are stuck, with a link to them; renders nothing otherwise. */
export const EmailBanner = () => {
  const { data } = useEmailSummary()
  const stuck = data?.stuck ?? 0
  if (stuck === 0) return null
  return (
    <Banner title={stuck === 1 ? '1 email is stuck' : `${countInWords(stuck)} emails are stuck`}>
      <p css={{ flex: '1 1 16rem' }}>{stuck === 1 ? 'It needs' : 'They need'} attention.</p>
      <Link to={STUCK_PATH}>View emails</Link>
    </Banner>
  )
}

/** The number of stuck emails, next to the settings, which have their log; renders nothing if there are none. */
export const StuckBadge = () => {
  const { data } = useEmailSummary()
  return <CountBadge count={data?.stuck ?? 0} label="emails stuck" tone="alarm" />
}
