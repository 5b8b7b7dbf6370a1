import * as v from 'valibot'
import { referenceOf } from '../../../../events/base/reference.ts'
import { kindOfLead } from '../../../../events/lead/form/kind.ts'
import { PACKAGE_NAMES } from '../../../../events/lead/labels.ts'
import { MAX_CONTACT_AGE_S, type RecordedChannel } from '../../../../events/lead/reply/answer.ts'
import { type Lead, lead as leadSchema } from '../../../../events/lead/wire.ts'
import { type EmailTemplate, fillIn, type ReplyVariable } from '../../../../events/settings/replies.ts'
import { repeatedly, send } from '../../../client/http.ts'
import { serverNow } from '../../../client/server-time.ts'
import { agency } from '../../../content/agency.ts'
import { submission } from '../../../ui/form/submission.ts'
import { nameForCustomers } from '../../account/own-name.ts'
import { readChange } from '../lead.ts'

const addressOf = (leadId: string, kind: 'emails' | 'contacts' | 'chat-answers') =>
  `/api/leads/${encodeURIComponent(leadId)}/${kind}`

export type WrittenEmail = { subject: string; text: string }

/**
 * Emails the person of a lead; a repeated request after a failure sends it once. Resolves to the lead, which waits no
 * longer.
 */
export const emailSender = (leadId: string, keyFor: (body: string) => string) => {
  const submit = submission(addressOf(leadId, 'emails'), keyFor)
  return async (email: WrittenEmail): Promise<Lead> => v.parse(leadSchema, await submit(email, {}))
}

/**
 * How staff contacted a person, and when, ISO 8601; the same `key` is logged once. `isReached` is false for a call
 * without an answer.
 */
export type Contact = { key: string; channel: RecordedChannel; text: string | null; at: string; isReached: boolean }

/** A contact logged this soon counts as happening now. */
const MIN_AGE_S = 60

/** The number of times a contact is sent if the node has no time, or closes. */
const TRIES = 2

const note = (path: string, body: object, key: string) =>
  repeatedly(() => send('POST', path, body, { 'idempotency-key': key }), { tries: TRIES }).then(readChange)

/**
 * Logs that the person of a lead was called, or written to by WhatsApp or in the staff member's own mail program.
 * Resolves to the lead, and to the event to undo.
 */
export const noteContact = async (leadId: string, { key, channel, text, at, isReached }: Contact) => {
  const secondsAgo = Math.min(Math.round((serverNow().getTime() - Date.parse(at)) / 1_000), MAX_CONTACT_AGE_S)
  const body = { channel, text, ...(!isReached && { isReached }), ...(secondsAgo >= MIN_AGE_S && { secondsAgo }) }
  return await note(addressOf(leadId, 'contacts'), body, key)
}

/**
 * Counts the last message from staff in a chat as the reply to a lead; the same `key` is counted once. Resolves as
 * `noteContact`.
 */
export const countChatAnswer = (leadId: string, { key, sessionId }: { key: string; sessionId: string }) =>
  note(addressOf(leadId, 'chat-answers'), { sessionId }, key)

const packageName = (lead: Lead) => {
  const { package: named } = kindOfLead(lead)
  return named === 'none' || named === 'other' ? '' : PACKAGE_NAMES[named]
}

/** A template filled in for a lead; `me` is the staff member who replies. */
export const filledFor = (lead: Lead, me: Parameters<typeof nameForCustomers>[0]) => {
  const values: Record<ReplyVariable, string> = {
    name: lead.name,
    business: lead.businessName || lead.company || '',
    package: packageName(lead),
    reference: referenceOf(lead.id),
    agency: agency().name,
    me: nameForCustomers(me),
  }
  return (template: string) => fillIn(template, values)
}

/**
 * The link that opens a mail program for an address. The name in it may have characters with a meaning in links (RFC
 * 6068).
 */
export const mailtoOf = (email: string) => `mailto:${email.split('@').map(encodeURIComponent).join('@')}`

/**
 * An email by the first template for the staff member's own mail program: its subject, and the link that opens it
 * there.
 */
export const ownEmailTo = (
  { email }: Lead,
  [template]: readonly EmailTemplate[],
  fill: ReturnType<typeof filledFor>,
) => {
  const subject = fill(template?.subject ?? '')
  const query = new URLSearchParams({ subject, body: fill(template?.text ?? '') })
  return { subject, href: `${mailtoOf(email)}?${query.toString().replaceAll('+', '%20')}` }
}
