import { Link } from 'react-router'
import { countInWords, useEmailSummary } from '../emails.ts'
import { Alarm } from './alarm.tsx'
import { CountBadge } from './count-badge.tsx'

/** Where staff look at what is stuck. */
const STUCK_PATH = '/admin-email?state=stuck'

/** Says on the dashboard that emails do not go out, and leads to them; nothing while all is well. */
export const EmailAlarm = () => {
  const { data } = useEmailSummary()
  const stuck = data?.stuck ?? 0
  if (stuck === 0) return null
  return (
    <Alarm title={stuck === 1 ? '1 email is stuck' : `${countInWords(stuck)} emails are stuck`}>
      <p css={{ flex: '1 1 16rem' }}>{stuck === 1 ? 'It needs' : 'They need'} attention.</p>
      <Link to={STUCK_PATH}>View emails</Link>
    </Alarm>
  )
}

/** How many emails are stuck, beside the link to their list; nothing while all is well. */
export const StuckBadge = () => {
  const { data } = useEmailSummary()
  return <CountBadge count={data?.stuck ?? 0} label="stuck" tone="alarm" />
}
