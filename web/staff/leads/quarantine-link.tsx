import { Link } from 'react-router'
import { useLeadSummary } from './leads.ts'
import { QUARANTINE_PATH, SUSPECTS } from './quarantine.ts'

/** Links to the flagged leads, and says how many there are; nothing where there are none. */
export const QuarantineLink = () => {
  const { data } = useLeadSummary(SUSPECTS)
  return data && data.total > 0 ? <Link to={QUARANTINE_PATH}>Quarantine ({data.total})</Link> : null
}
