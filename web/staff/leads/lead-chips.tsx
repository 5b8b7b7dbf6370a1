import type { Lead } from '../../../events/wire/lead.ts'
import { ContractChips } from './contract-chips.tsx'
import { BriefMissedCall, FailedEmail, NextAction, ReplyPromise } from './promise.tsx'
import { ForwardChip, StatusChip } from './status.tsx'

/**
 * The state of a lead: its status, the reply that was promised, an answer that failed, the last call that nobody took, the next action, its email, and the contract that is
 * signed. For a row that wraps.
 */
export const LeadChips = ({ lead }: { lead: Lead }) => (
  <>
    <StatusChip status={lead.followUpStatus} />
    <ReplyPromise lead={lead} />
    <FailedEmail lead={lead} />
    <BriefMissedCall lead={lead} />
    <NextAction day={lead.nextActionDate} />
    <ForwardChip status={lead.forwardStatus} />
    <ContractChips lead={lead} />
  </>
)
