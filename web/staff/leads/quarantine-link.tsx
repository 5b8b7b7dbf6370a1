import { Link } from 'react-router'
import { useLeadSummary } from './leads.ts'
import { ALL_QUARANTINED_PATH, QUARANTINE_PATH, SUSPECTS, UNDECIDED } from './quarantine.ts'

/** Links to the flagged leads, and says of how many somebody has to decide what they are; nothing where none is flagged. */
export const QuarantineLink = () => {
  const { data: all } = useLeadSummary(SUSPECTS)
  const { data: undecided } = useLeadSummary(UNDECIDED)
  if (!all || !undecided || all.total === 0) return null
  return undecided.total > 0 ? (
    <Link to={QUARANTINE_PATH}>Quarantine ({undecided.total})</Link>
  ) : (
    <Link to={ALL_QUARANTINED_PATH}>Quarantine</Link>
  )
}
