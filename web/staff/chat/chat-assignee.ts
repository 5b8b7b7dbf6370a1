import type { ChatAssignment } from '../../../events/chat/wire.ts'
import type { Colleague } from '../../../events/staff/wire.ts'
import { presentName } from '../account/colleagues.ts'

/** The chat's assignee, as text. */
export const holderInWords = (
  { to }: ChatAssignment,
  { myId, colleagues = [] }: { myId: string | undefined; colleagues: readonly Colleague[] | undefined },
) => {
  if (!to) return 'Unassigned'
  return to.staffId === myId ? 'Assigned to you' : `Assigned to ${presentName(to, colleagues)}`
}
