import type { EmailFilter } from '../../../events/wire/email.ts'
import { EMAIL_STATES } from '../../staff/email-states.ts'

/** What the list can be narrowed to, in the order of the buttons; `undefined` is all. `isRare`: most days there is none. */
export const FILTERS: { filter: EmailFilter | undefined; label: string; isRare?: true }[] = [
  { filter: undefined, label: 'All' },
  { filter: 'stuck', label: 'Stuck' },
  { filter: 'attention', label: 'Needs attention' },
  { filter: 'waiting', label: EMAIL_STATES.pending },
  { filter: 'delivered', label: EMAIL_STATES.delivered },
  { filter: 'needs_activation', label: EMAIL_STATES.needs_activation, isRare: true },
  { filter: 'blocked', label: EMAIL_STATES.blocked, isRare: true },
  { filter: 'rejected', label: EMAIL_STATES.rejected, isRare: true },
  { filter: 'expired', label: EMAIL_STATES.expired, isRare: true },
  { filter: 'uncertain', label: EMAIL_STATES.uncertain, isRare: true },
  { filter: 'partial', label: EMAIL_STATES.partial, isRare: true },
  { filter: 'outbox', label: EMAIL_STATES.outbox, isRare: true },
]

const TRY_WORDS: Record<string, string> = {
  delivered: 'Delivered',
  busy: 'The other side was busy, or could not be reached',
  unknown: 'No answer: it may have arrived',
  rejected: 'Refused',
  needs_activation: 'The address has to be confirmed first',
  blocked: 'Blocked',
  outbox: 'Kept in the outbox',
  seen: 'Cancelled',
  answered: 'Cancelled: the lead has been answered',
  unwanted: 'Cancelled: this person gets no such emails any more',
  over: 'Cancelled: the link is over',
  erased: 'Nothing left to send',
  under_way: 'Under way',
  cut_off: 'Interrupted, may have been delivered',
  partial: 'Taken for some inboxes, refused for others',
  withheld: 'Not sent',
}

/** What came of one try, in plain words. */
export const tryWords = (kind: string) => TRY_WORDS[kind] ?? kind

const messageOf = (json: string): string | undefined => {
  try {
    const { message } = JSON.parse(json)
    return typeof message === 'string' ? message : undefined
  } catch {
    return undefined // cut short, or no JSON
  }
}

/** The service's answer as a person reads it: its message, or the title of its page, and the status; else as it was. */
export const answerInWords = (answer: string): string => {
  const [, status, body = ''] = /^(\d{3}) (.*)$/s.exec(answer) ?? []
  const [, title] = /<title>\s*([^<]+?)\s*</i.exec(body) ?? []
  const said = title ? `a page titled "${title}"` : messageOf(body)
  return said ? `${said} (${status})` : answer
}
