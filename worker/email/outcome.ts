import type { DeliveryState } from '../../events/email/email.ts'
import { emailFailed, emailSent } from '../../events/email/email.ts'
import type { ClaimedDelivery, LoggedOutcome } from '../../events/email/store/deliveries.ts'
import { deterministicUuid } from '../../events/log/event-id.ts'
import type { Verdict } from './retry-verdict.ts'
import type { SendResult } from './transport.ts'

type AttemptReport =
  | { to: 'service' | 'smtp' | 'outbox' }
  | { isPassing: true; reason: SendResult['kind'] }
  | { isPassing: false; state: DeliveryState }

/** The part of a verdict that goes into the log. */
export const reportOf = (
  { state, isPassing }: Verdict,
  kind: SendResult['kind'],
  to: 'service' | 'smtp',
): AttemptReport => {
  if (state === 'delivered') return { to }
  return isPassing ? { isPassing, reason: kind } : { isPassing, state }
}

/**
 * The event that records an attempt in the log, the same one however often it is recorded; null if there is nothing to
 * record.
 */
export const outcomeOf = ({ eventId, attempt }: ClaimedDelivery, report: AttemptReport): LoggedOutcome | null => {
  const id = deterministicUuid('email attempt', eventId, String(attempt))
  const about = { emailId: eventId, attempt }
  if ('to' in report) return { id, ...emailSent({ ...about, to: report.to }) }
  if (report.isPassing) {
    const { reason } = report
    if (reason !== 'busy' && reason !== 'unknown' && reason !== 'rejected') return null
    return { id, ...emailFailed({ ...about, willRetry: true, reason }) }
  }
  switch (report.state) {
    case 'needs_activation':
    case 'blocked':
    case 'rejected':
    case 'expired':
    case 'uncertain':
    case 'partial':
      return { id, ...emailFailed({ ...about, willRetry: false, reason: report.state }) }
    case 'pending':
    case 'retrying':
    case 'delivered':
    case 'outbox':
      return null
    default:
      return report.state satisfies never
  }
}
