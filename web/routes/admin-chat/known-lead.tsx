import { isErased } from '../../../events/lead/wire.ts'
import { useLeadAlone } from '../../staff/leads/lead.ts'
import { ContractChips } from '../../staff/leads/shown/contract-chips.tsx'
import { LeadName } from '../../staff/leads/shown/lead-name.tsx'
import { StatusChip } from '../../staff/leads/shown/status.tsx'
import { colour, space, type } from '../../ui/theme.ts'

/** The lead of a chat's visitor at a glance: who it is, how far it has got, and whether they have a contract. */
export const KnownLead = ({ leadId }: { leadId: string | undefined }) => {
  const { data: lead } = useLeadAlone(leadId)
  if (!lead || isErased(lead)) return null
  return (
    <div css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: space.hair, fontSize: type.small }}>
      <span css={{ flexBasis: '100%', color: colour.ink, fontWeight: 600, overflowWrap: 'anywhere' }}>
        <LeadName lead={lead} />
      </span>
      <StatusChip status={lead.followUpStatus} />
      <ContractChips lead={lead} />
    </div>
  )
}
