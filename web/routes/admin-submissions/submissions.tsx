import { useSearchParams } from 'react-router'
import { AllSubmissions } from './all-submissions.tsx'
import { Quarantine } from './quarantine.tsx'

/** All leads in one list, or with `?quarantine=true` the flagged leads. */
export const Submissions = () => {
  const [query] = useSearchParams()
  return query.get('quarantine') === 'true' ? <Quarantine /> : <AllSubmissions />
}
