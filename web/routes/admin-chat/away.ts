import { isReachable } from '../../../events/chat/visitor-contact.ts'
import type { ChatSession } from '../../../events/chat/wire.ts'
import { storedForLater } from '../../staff/email/emails.ts'

/** Describes a visitor whose page is gone: whether a reply still reaches them. */
export const awayInWords = (
  { visitorEmail, visitorPhone }: Pick<ChatSession, 'visitorEmail' | 'visitorPhone'>,
  { isEmailed, hasGivenUp }: { isEmailed: boolean; hasGivenUp: boolean },
) => {
  if (visitorPhone) return 'Visitor has left: call them, or send a WhatsApp'
  if (hasGivenUp) return 'Left without an address, and waits no longer'
  if (!visitorEmail) return 'Visitor has left, no email'
  if (!isReachable({ visitorEmail })) return 'Not here now, and what they left is no email address'
  return isEmailed ? 'Visitor has left, reply will be emailed' : `Visitor has left. ${storedForLater('your reply')}`
}
