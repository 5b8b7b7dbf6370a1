import { Link } from 'react-router'
import type { Lead } from '../../../events/lead/wire.ts'
import { leadAddress } from '../../staff/leads/address.ts'
import { LeadName } from '../../staff/leads/shown/lead-name.tsx'
import { FROM_TODAY } from './from-today.ts'

/** The name of a lead, as a link to it that returns here. */
export const LeadTitle = ({ lead }: { lead: Lead }) => (
  <Link to={leadAddress(lead.id)} state={FROM_TODAY}>
    <LeadName lead={lead} />
  </Link>
)
