import type { Lead } from '../../../../events/lead/wire.ts'
import { BriefMissedCall, FailedEmail, NextAction, ReplyPromise } from '../clock/reply-promise.tsx'
import { ContractChips } from './contract-chips.tsx'
import { MergedChip } from './merged-messages.tsx'
import { EmailStatusChip, StatusChip } from './status.tsx'

/** The state of a lead, in chips. For a row that wraps. */
export const LeadChips = ({ lead }: { lead: Lead }) => (
  <>
    <StatusChip status={lead.followUpStatus} />
    <ReplyPromise lead={lead} />
    <FailedEmail lead={lead} />
    <BriefMissedCall lead={lead} />
    <NextAction day={lead.nextActionDate} />
    <EmailStatusChip status={lead.emailStatus} />
    <ContractChips lead={lead} />
    <MergedChip lead={lead} />
  </>
)
