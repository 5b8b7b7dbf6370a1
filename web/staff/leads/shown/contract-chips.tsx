import { isContract } from '../../../../events/lead/form/kind.ts'
import type { Lead } from '../../../../events/lead/wire.ts'
import { Chip } from '../../chip.tsx'

/** Shows that a lead is a signed contract; renders nothing for others. */
export const ContractChip = ({ lead }: { lead: Lead }) =>
  isContract(lead.leadSource) ? <Chip tone="done">Contract signed</Chip> : null

/**
 * Shows that a lead is a signed contract, for which package, and at what price; renders nothing for others. For a row
 * that wraps.
 */
export const ContractChips = ({ lead }: { lead: Lead }) =>
  isContract(lead.leadSource) ? (
    <>
      <ContractChip lead={lead} />
      {lead.package && <Chip tone="fresh">{lead.package.replace(' - ', ', ')}</Chip>}
    </>
  ) : null
