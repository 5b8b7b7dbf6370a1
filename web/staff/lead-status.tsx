import type { FollowUpStatus } from '../../events/follow-up.ts'
import type { ForwardStatus } from '../../events/lead.ts'
import { Chip, type ChipTone } from './lead-chip.tsx'
import { STATUS_NAMES } from './lead-words.ts'

const STATUS_TONES: Record<FollowUpStatus, ChipTone> = {
  new: 'fresh',
  contacted: 'plain',
  quoted: 'plain',
  won: 'done',
  lost: 'plain',
}

/** How staff stands with a lead. */
export const StatusChip = ({ status }: { status: FollowUpStatus }) => (
  <Chip tone={STATUS_TONES[status]}>{STATUS_NAMES[status]}</Chip>
)

const FORWARD_STATUS: Record<NonNullable<ForwardStatus>, { text: string; isBad: boolean }> = {
  pending: { text: 'E-mail waiting', isBad: false },
  retrying: { text: 'E-mail failed, trying again', isBad: true },
  delivered: { text: 'E-mail delivered', isBad: false },
  outbox: { text: 'E-mail in the outbox', isBad: false },
  needs_activation: { text: 'E-mail needs activation', isBad: true },
  blocked: { text: 'E-mail blocked', isBad: true },
  rejected: { text: 'E-mail rejected', isBad: true },
}

/** Where the forward of a lead by e-mail stands; nothing where none is forwarded. */
export const ForwardChip = ({ status }: { status: ForwardStatus }) => {
  if (!status) return null
  const { text, isBad } = FORWARD_STATUS[status]
  return <Chip tone={isBad ? 'bad' : 'plain'}>{text}</Chip>
}
