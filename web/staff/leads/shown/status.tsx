import { nameOf, valueFor } from '../../../../events/base/name-of.ts'
import type { FollowUpStatus } from '../../../../events/lead/follow-up/follow-up.ts'
import { STATUS_NAMES } from '../../../../events/lead/labels.ts'
import type { Lead } from '../../../../events/lead/wire.ts'
import { Chip, type ChipTone } from '../../chip.tsx'
import { emailStateInWords, emailTone } from '../../email/email-states.ts'

const STATUS_TONES: Record<FollowUpStatus, ChipTone> = {
  new: 'fresh',
  contacted: 'plain',
  quoted: 'plain',
  won: 'done',
  lost: 'plain',
}

export const StatusChip = ({ status }: { status: Lead['followUpStatus'] }) => (
  <Chip tone={valueFor(STATUS_TONES, status) ?? 'plain'}>{nameOf(STATUS_NAMES, status)}</Chip>
)

/**
 * The state of the email of a contract to the agency's own inbox; renders nothing if none is sent. It has no
 * bearing on the customer.
 */
export const EmailStatusChip = ({ status }: { status: Lead['emailStatus'] }) => {
  if (!status) return null
  const words = status === 'delivered' ? 'Contract reached our inbox' : emailStateInWords(status)
  return <Chip tone={emailTone(status)}>{words}</Chip>
}
