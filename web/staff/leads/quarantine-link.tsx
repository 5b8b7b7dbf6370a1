import { Link } from 'react-router'
import { useLeadSummary } from './leads.ts'
import { flaggedInWords, quarantinePath, SUSPECTS, UNDECIDED } from './quarantine.ts'
import { useQuarantineChanges } from './quarantine-changes.ts'

/** Links to the flagged leads, and says of how many somebody has to decide what they are; nothing where none is flagged. */
export const QuarantineLink = () => {
  const { data: all, mutate: fetchAll } = useLeadSummary(SUSPECTS)
  const { data: undecided, mutate: fetchUndecided } = useLeadSummary(UNDECIDED)
  useQuarantineChanges(() => {
    fetchAll()
    fetchUndecided()
  })
  if (!all || !undecided || all.total === 0) return null
  return undecided.total > 0 ? (
    <Link to={quarantinePath()}>Quarantine ({undecided.total})</Link>
  ) : (
    <Link to={quarantinePath({ isAll: true })}>Quarantine</Link>
  )
}

/**
 * Says how many flagged leads match a search, whenever they came, and leads to them: whom a list does not show may lie
 * there. Nothing where none does.
 */
export const FlaggedMatches = ({ term }: { term: string }) => {
  const { data, mutate } = useLeadSummary({ ...SUSPECTS, term })
  useQuarantineChanges(() => {
    mutate()
  })
  if (!data || data.total === 0) return null
  return <Link to={quarantinePath({ isAll: true, term })}>{flaggedInWords(data.total, term)}</Link>
}
