import type { EmailFilter } from '../../../events/email/wire.ts'
import { EMAIL_STATES } from '../../staff/email/email-states.ts'

type Filter = {
  filter: EmailFilter | undefined
  label: string
  /** The emails that it shows, and what staff should do about them. */
  meaning: string
  /** Usually there is none. */
  isRare?: true
}

/** The list without a filter. */
export const ALL: Filter = { filter: undefined, label: 'All', meaning: '' }

/** The filters of the list, in the order of the buttons. */
export const FILTERS: readonly Filter[] = [
  ALL,
  {
    filter: 'attention',
    label: 'Needs attention',
    meaning:
      'These need attention: they were not sent as they should be, or may not have arrived. Each says what to do. Emails that a person’s own address refused are under "Failed" and on the lead.',
  },
  {
    filter: 'stuck',
    label: 'Stuck',
    meaning:
      'The emails of "Needs attention", apart from contracts that are only waiting for a mail server or an address.',
    isRare: true,
  },
  {
    filter: 'waiting',
    label: EMAIL_STATES.pending,
    meaning: 'These go out by themselves. There is nothing to do, unless one has waited for more than 15 minutes.',
  },
  {
    filter: 'delivered',
    label: EMAIL_STATES.delivered,
    meaning: 'The other side took these. There is nothing to do.',
  },
  {
    filter: 'needs_activation',
    label: EMAIL_STATES.needs_activation,
    meaning:
      'These go out once the agency’s address is confirmed: follow the link in the message of the email service.',
    isRare: true,
  },
  {
    filter: 'blocked',
    label: EMAIL_STATES.blocked,
    meaning: 'The email service takes nothing from this website. Check the settings: it is tried again every hour.',
    isRare: true,
  },
  {
    filter: 'rejected',
    label: EMAIL_STATES.rejected,
    meaning: 'The other side refused these for good, so they are not tried again. Each says what you can do.',
    isRare: true,
  },
  {
    filter: 'expired',
    label: EMAIL_STATES.expired,
    meaning: 'The other side was busy for four days, so these are not tried again. Send again what is still needed.',
    isRare: true,
  },
  {
    filter: 'uncertain',
    label: EMAIL_STATES.uncertain,
    meaning: 'It is unknown whether these arrived. Check first: sent again, they may arrive twice.',
    isRare: true,
  },
  {
    filter: 'partial',
    label: EMAIL_STATES.partial,
    meaning: 'Some inboxes have these and others refused them. Correct the addresses in the settings, then send again.',
    isRare: true,
  },
  {
    filter: 'outbox',
    label: EMAIL_STATES.outbox,
    meaning: 'No email service was set up when these were to go. Once one is, send again what is still needed.',
    isRare: true,
  },
]

const TRY_WORDS: Record<string, string> = {
  delivered: 'Delivered',
  busy: 'The other side was busy, or could not be reached',
  unknown: 'No answer: it may have arrived',
  rejected: 'Refused',
  needs_activation: 'The address has to be confirmed first',
  blocked: 'Blocked',
  outbox: 'Not sent: no email server',
  seen: 'Cancelled',
  answered: 'Cancelled: the lead has been answered',
  unwanted: 'Cancelled: this person no longer gets such emails',
  over: 'Cancelled: the link is over',
  erased: 'Nothing left to send',
  under_way: 'Under way',
  cut_off: 'Interrupted, may have been delivered',
  partial: 'Taken for some inboxes, refused for others',
  withheld: 'Not sent',
}

export const tryWords = (kind: string) => TRY_WORDS[kind] ?? kind

const messageOf = (json: string): string | undefined => {
  try {
    const { message } = JSON.parse(json)
    return typeof message === 'string' ? message : undefined
  } catch {
    return undefined // truncated, or not JSON
  }
}

/** The service's response in readable form: its message, or the title of its page, and the status; else unchanged. */
export const answerInWords = (answer: string): string => {
  const [, status, body = ''] = /^(\d{3}) (.*)$/s.exec(answer) ?? []
  const [, title] = /<title>\s*([^<]+?)\s*</i.exec(body) ?? []
  const reason = title ? `a page titled "${title}"` : messageOf(body)
  return reason ? `${reason} (${status})` : answer
}
