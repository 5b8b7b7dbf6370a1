import { Link } from 'react-router'
import { QUARANTINE_PATH, useQuarantine } from './quarantine.ts'

/** Leads to the suspects, and says how many there are; nothing where there are none. */
export const QuarantineLink = () => {
  const { data } = useQuarantine()
  return data && data.length > 0 ? <Link to={QUARANTINE_PATH}>Quarantine ({data.length})</Link> : null
}
