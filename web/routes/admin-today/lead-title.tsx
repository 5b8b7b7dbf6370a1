import { Link } from 'react-router'
import type { Lead } from '../../../events/lead/wire.ts'
import { leadAddress } from '../../staff/leads/address.ts'
import { useWayBack } from '../../staff/leads/list/place.ts'
import { LeadName } from '../../staff/leads/shown/lead-name.tsx'
import { rowId } from '../../staff/list/list-keys.ts'

/** The name of a lead, as a link to it that returns here. */
export const LeadTitle = ({ lead }: { lead: Lead }) => {
  const { state, leave } = useWayBack(lead.id)
  return (
    <Link id={rowId(lead.id)} to={leadAddress(lead.id)} state={state} onClick={leave}>
      <LeadName lead={lead} />
    </Link>
  )
}
