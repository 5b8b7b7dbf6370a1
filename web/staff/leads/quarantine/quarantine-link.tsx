import { Link } from 'react-router'
import { useLeadSummary } from '../list/leads.ts'
import { useLeadRefresh } from '../live/refresh.ts'
import { flaggedInWords, quarantinePath, SUSPECTS, UNDECIDED } from './quarantine.ts'

/** Links to the flagged leads, with the number that staff still have to decide on; nothing if none is flagged. */
export const QuarantineLink = () => {
  const { data: all, mutate: fetchAll } = useLeadSummary(SUSPECTS)
  const { data: undecided, mutate: fetchUndecided } = useLeadSummary(UNDECIDED)
  const refresh = () => {
    fetchAll()
    fetchUndecided()
  }
  useLeadRefresh(refresh, { onQuarantine: () => true })
  if (!all || !undecided || all.total === 0) return null
  return undecided.total > 0 ? (
    <Link to={quarantinePath()}>Quarantine ({undecided.total})</Link>
  ) : (
    <Link to={quarantinePath({ isAll: true })}>Quarantine</Link>
  )
}

/**
 * Shows how many flagged leads of any date match a search, and links to them: a lead missing from a list may be there.
 * Renders nothing if none matches.
 */
export const FlaggedMatches = ({ term }: { term: string }) => {
  const { data, mutate } = useLeadSummary({ ...SUSPECTS, term })
  useLeadRefresh(mutate, { onQuarantine: () => true })
  if (!data || data.total === 0) return null
  return <Link to={quarantinePath({ isAll: true, term })}>{flaggedInWords(data.total, term)}</Link>
}
