/**
 * Staff answer from the lead: by email through SMTP, from templates that owners keep, by WhatsApp with the text filled
 * in, or by telephone. Each answer is an event in a stream of its own; `lead-answered.ts` says which ones count. An email goes only to
 * the lead's own address, and its answer to the agency's inbox.
 */

import * as v from 'valibot'
import { defineEvent, defineStreams, type RecordedEvent } from '../base/definition.ts'
import { givenId, instant, optionalText } from '../base/text.ts'
import { type Email, type EmailEvent, hasReachedNobody } from '../email/email.ts'
import { emailSubject, emailText, MAX_ANSWER_CHARACTERS } from '../email/text.ts'
import type { Lead } from './lead.ts'
import { leadInWords } from './name.ts'

const id = v.pipe(v.string(), v.uuid())

/**
 * What staff write to the person of a lead; the body of `POST /api/leads/:id/emails`. It goes to the lead's own
 * address.
 */
export const answerEmailForm = v.strictObject({ subject: emailSubject, text: emailText })

/** The ways other than email by which staff answer: the site only notes that they did. */
export const CONTACT_CHANNELS = ['whatsapp', 'call'] as const

/**
 * What staff say that they did. `email`: in their own program, which is kept as a note, since the site knows no more of
 * it.
 */
const NOTED_CHANNELS = [...CONTACT_CHANNELS, 'email'] as const

export const notedChannel = v.picklist(NOTED_CHANNELS, `Must be one of: ${NOTED_CHANNELS.join(', ')}`)

export type NotedChannel = (typeof NOTED_CHANNELS)[number]

/** For how long after it a contact can be noted, in seconds: as long as a device keeps that it is open, 7 days. */
export const MAX_CONTACT_AGE_S = 7 * 24 * 60 * 60

/**
 * What staff did to reach the person of a lead; the body of `POST /api/leads/:id/contacts`. `isReached` is false for a call
 * that nobody took, which is no answer. `secondsAgo` is how long ago it was, by the clock of their device: what is noted
 * later has still been done in time.
 */
export const contactForm = v.strictObject({
  channel: notedChannel,
  text: optionalText(MAX_ANSWER_CHARACTERS, { lines: true }),
  isReached: v.exactOptional(v.boolean()),
  secondsAgo: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MAX_CONTACT_AGE_S))),
})

/** Staff say that what they wrote in a chat answers a lead; the body of `POST /api/leads/:id/chat-answers`. */
export const chatAnswerForm = v.strictObject({ sessionId: givenId() })

/** Staff wrote an email to the person of a lead. */
export const leadEmailWritten = defineEvent({
  type: 'LeadEmailWritten',
  schemaVersion: 1,
  data: v.object({ leadId: id, by: id }),
  personal: v.object({ to: v.string(), ...answerEmailForm.entries }),
})

/** Staff wrote to, or called, the person of a lead from their own telephone. `text` is what was filled in for them. */
export const leadContacted = defineEvent({
  type: 'LeadContacted',
  schemaVersion: 1,
  data: v.object({ leadId: id, channel: v.picklist(CONTACT_CHANNELS), by: id, at: v.exactOptional(instant) }),
  personal: v.object({ to: v.string(), text: v.nullable(v.string()) }),
})

/** The answers of staff to a lead, and what became of those that went by email. */
export type LeadAnswerEvent = RecordedEvent<typeof leadEmailWritten> | RecordedEvent<typeof leadContacted> | EmailEvent

/** One stream per lead, of the answers to it: what becomes of its emails is no news of the lead's own forward. */
export const leadAnswerStreams = defineStreams<LeadAnswerEvent>('answers-to-lead-')

/** Whether an event says that an email reached nobody, and is not tried again by itself. */
export const isFinalFailure = ({ type, data }: Pick<EmailEvent, 'type' | 'data'>): boolean =>
  type === 'EmailForwardFailed' && 'reason' in data && !data.willRetry && hasReachedNobody(data.reason)

/** The email that staff have written; undefined where its person has been erased. */
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
