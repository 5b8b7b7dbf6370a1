import type { Lead } from '../../../events/wire/lead.ts'
import { NextAction, ReplyPromise } from './promise.tsx'
import { ForwardChip, StatusChip } from './status.tsx'

/** The state of a lead: its status, the reply that was promised, the next action, and its email. For a row that wraps. */
export const LeadChips = ({ lead }: { lead: Lead }) => (
  <>
    <StatusChip status={lead.followUpStatus} />
    <ReplyPromise lead={lead} />
    <NextAction day={lead.nextActionDate} />
    <ForwardChip status={lead.forwardStatus} />
  </>
)
