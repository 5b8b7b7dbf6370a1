/**
 * Staff reply from the lead: by email through SMTP, from owners' templates, by WhatsApp with the text filled in, or by
 * telephone. Each reply is an event in a stream of its own; `answered.ts` says which ones count. An email goes only to
 * the lead's own address, and its reply to the agency's inbox.
 */

import * as v from 'valibot'
import { defineEvent, defineStreams, type RecordedEvent } from '../../base/definition.ts'
import { givenId, instant, optionalText } from '../../base/text.ts'
import { type Email, type EmailEvent, hasReachedNoRecipient } from '../../email/email.ts'
import { emailSubject, emailText, MAX_ANSWER_CHARACTERS } from '../../email/written-email.ts'
import type { Lead } from '../lead.ts'
import { leadInWords } from '../name.ts'

const id = v.pipe(v.string(), v.uuid())

/**
 * An email by staff to the person of a lead; the body of `POST /api/leads/:id/emails`. It goes to the lead's own
 * address.
 */
export const answerEmailForm = v.strictObject({ subject: emailSubject, text: emailText })

/** The ways other than email by which staff reply: the site only records that they did. */
export const CONTACT_CHANNELS = ['whatsapp', 'call'] as const

/**
 * The channels that staff can record. `email`: in their own program, which is stored as a note, since the site knows no
 * more of it.
 */
const RECORDED_CHANNELS = [...CONTACT_CHANNELS, 'email'] as const

export const recordedChannel = v.picklist(RECORDED_CHANNELS, `Must be one of: ${RECORDED_CHANNELS.join(', ')}`)

export type RecordedChannel = (typeof RECORDED_CHANNELS)[number]

/** How long after a contact it can be recorded, in seconds: as long as a device remembers that it is open, 7 days. */
export const MAX_CONTACT_AGE_S = 7 * 24 * 60 * 60

/**
 * Staff's contact with the person of a lead; the body of `POST /api/leads/:id/contacts`. `isReached` is false for an
 * unanswered call, which is not a reply. `secondsAgo` is how long ago it was, by the clock of their device: a contact
 * recorded later can still be in time.
 */
export const contactForm = v.strictObject({
  channel: recordedChannel,
  text: optionalText(MAX_ANSWER_CHARACTERS, { lines: true }),
  isReached: v.exactOptional(v.boolean()),
  secondsAgo: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MAX_CONTACT_AGE_S))),
})

/** Staff count their messages in a chat as a reply to a lead; the body of `POST /api/leads/:id/chat-answers`. */
export const chatAnswerForm = v.strictObject({ sessionId: givenId() })

/** Staff wrote an email to the person of a lead. */
export const leadEmailWritten = defineEvent({
  type: 'LeadEmailWritten',
  schemaVersion: 1,
  data: v.object({ leadId: id, by: id }),
  personal: v.object({ to: v.string(), ...answerEmailForm.entries }),
})

/** Staff wrote to, or called, the person of a lead from their own telephone. `text` is the text filled in for them. */
export const leadContacted = defineEvent({
  type: 'LeadContacted',
  schemaVersion: 1,
  data: v.object({ leadId: id, channel: v.picklist(CONTACT_CHANNELS), by: id, at: v.exactOptional(instant) }),
  personal: v.object({ to: v.string(), text: v.nullable(v.string()) }),
})

/** The replies of staff to a lead, and the outcomes of those by email. */
export type LeadAnswerEvent = RecordedEvent<typeof leadEmailWritten> | RecordedEvent<typeof leadContacted> | EmailEvent

/** One stream per lead, of the replies to it: the outcomes of their emails are not those of the lead's own email. */
export const leadAnswerStreams = defineStreams<LeadAnswerEvent>('answers-to-lead-')

/** Whether an event says that an email reached no one and is not tried again by itself. */
export const isFinalFailure = ({ type, data }: Pick<EmailEvent, 'type' | 'data'>): boolean =>
  type === 'EmailFailed' && 'reason' in data && !data.willRetry && hasReachedNoRecipient(data.reason)

/** The email that staff have written; undefined if its person has been erased. */
export const answerEmailOf = (
  { personal }: RecordedEvent<typeof leadEmailWritten>,
  lead: Pick<Lead, 'name' | 'businessName'> | undefined,
): Email | undefined =>
  personal
    ? {
        subject: personal.subject,
        fields: [['message', personal.text]],
        to: personal.to,
        replyTo: null,
        about: lead ? leadInWords(lead) : null,
        isHandwritten: true,
      }
    : undefined
