/**
 * Visitors get a copy by email of a request or a contract, with its reference: by SMTP (as text and as HTML) or, for
 * contracts, as the reply that the form-to-email service sends by itself. Once per lead, at most three a day for one
 * address, never for a flagged submission, and without anything that a stranger could advertise by.
 */

import * as v from 'valibot'
import { agencyClock, agencyDayName } from '../../base/agency-day.ts'
import { defineEvent, defineStreams, type RecordedEvent } from '../../base/definition.ts'
import { referenceOf } from '../../base/reference.ts'
import type { AgreedTerms } from '../../contract/evidence.ts'
import { verificationPath } from '../../contract/signed-copy.ts'
import type { Email, EmailEvent } from '../../email/email.ts'
import { type Company, companyLines, NO_COMPANY } from '../../settings/company.ts'
import { type LeadSource, sentInWords } from '../form/kind.ts'
import type { leadSubmitted } from '../lead.ts'
import { leadInWords } from '../name.ts'

/** A copy of a submission goes to the visitor by email: once per lead, never for a flagged one. */
export const leadCopyRequested = defineEvent({
  type: 'LeadCopyRequested',
  schemaVersion: 1,
  data: v.object({ leadId: v.pipe(v.string(), v.uuid()) }),
  personal: v.object({ to: v.string() }),
})

/**
 * One stream per lead, of its copy and the outcomes of that: the lead's own stream holds those of the email to the
 * agency.
 */
export const leadCopyStreams = defineStreams<RecordedEvent<typeof leadCopyRequested> | EmailEvent>('copy-of-lead-')

/** Contracts and requests for a quote are copied, not a lead that staff made of a chat, nor one with another source. */
const COPIED: readonly LeadSource[] = [
  'hero_form',
  'contact_form',
  'contract_essential',
  'contract_professional',
  'contract_premium',
]

/** An older lead's copy is no longer news: a new consumer of an old log sends none. */
export const COPY_UNTIL_MS = 24 * 60 * 60 * 1000

/**
 * How many copies one address gets in 24 hours. A form accepts any address: it must not be a way to fill a stranger's
 * inbox.
 */
export const MAX_COPIES_A_DAY = 3

/** Whether the sender of a lead of this source gets a copy. */
export const isCopied = (source: LeadSource) => COPIED.includes(source)

/** The sentence on a contract's page about the customer's copy: only what is true. */
export const copyInWords = (sendsEmail: boolean): string =>
  sendsEmail
    ? 'We email you a copy with your reference.'
    : 'Save or print this page. It shows the terms, and your reference once you have signed.'

/** A package as contracts name it, with its price (specification, 3). */
const PACKAGE_LINE = /^(Essential|Professional|Premium) - R[\d,]+( \+ R[\d,]+\/month)?$/

/**
 * The limit for text that is repeated in our name. Addresses of sites or inboxes, as in advertisements, and longer
 * texts are not.
 */
const MAX_REPEATED_CHARACTERS = 500

const isRepeatable = (text: string) =>
  PACKAGE_LINE.test(text) || (text.length <= MAX_REPEATED_CHARACTERS && !/[/@]|\.\p{L}{2}|www\b/iu.test(text))

/** Whether a contract's line of the package, a field that anyone can fill in, is the one that was agreed to. */
const isAgreed = (line: string, { agreement }: AgreedTerms) =>
  PACKAGE_LINE.test(line) && agreement.replaceAll('\u00a0', ' ').endsWith(`: ${line}.`)

const LABELS = [
  ['name', 'Name'],
  ['businessName', 'Business'],
  ['company', 'Company'],
  ['phone', 'Phone'],
  ['package', 'Package'],
  ['timeline', 'Timeline'],
  ['message', 'Message'],
] as const

const WORDS: Record<string, string> = {
  asap: 'As soon as possible',
  '2-4weeks': '2–4 weeks',
  '1-2months': '1–2 months',
  exploring: 'Just exploring',
  essential: 'Essential',
  professional: 'Professional',
  premium: 'Premium',
  custom: 'Custom',
}

type Submission = RecordedEvent<typeof leadSubmitted>

/** The recipient of a copy, the lead, and the sender. */
type Copied = { to: string; leadId: string; agencyName: string; publicUrl: string; company?: Company }

/** The agreed terms, the company they were agreed with, and the guarantees. */
const contractParts = (
  source: LeadSource,
  { publicUrl, leadId, company }: { publicUrl: string; leadId: string; company: Company },
) => {
  const lines = companyLines(company)
  return [
    `You agreed to the terms of this package: ${publicUrl}/contract/${source.replace('contract_', '')}`,
    `Check your signed copy at any time: ${publicUrl}${verificationPath(leadId)}`,
    ...(lines.length > 0 ? [`You signed with:\n${lines.join('\n')}`] : []),
    ...(company.guarantee ? [`Our guarantee: ${company.guarantee}`] : []),
  ]
}

/**
 * The copy of a submission, to the visitor; undefined if it has been erased. Their text is repeated unless it could be
 * an advertisement to a person whose address a stranger has filled in; the subject holds only our own words.
 */
export const leadCopyOf = (
  submission: Submission,
  { to, leadId, agencyName, publicUrl, company = NO_COMPANY }: Copied,
): Email | undefined => {
  const { personal, data, recordedAt } = submission
  if (!personal) return undefined
  const sent = sentInWords(data.source)
  const isOurs = (field: string, value: string) =>
    field === 'package' && data.terms ? isAgreed(value, data.terms) : isRepeatable(value)
  const lines = LABELS.flatMap(([field, label]) => {
    const value = personal[field]
    if (!value) return []
    return [`${label}: ${WORDS[value] ?? (isOurs(field, value) ? value : '(as you sent it)')}`]
  })
  const contract = data.isContract ? contractParts(data.source, { publicUrl, leadId, company }) : []
  const text = [
    `Hello ${isRepeatable(personal.name) ? personal.name.replace(/\s+/g, ' ') : 'there'},`,
    `Thank you, we've received your ${sent}. Your reference is ${referenceOf(leadId)}: mention it when you call or write to us.`,
    [`Sent: ${agencyDayName.format(recordedAt)}, ${agencyClock.format(recordedAt)} SAST`, ...lines].join('\n'),
    ...contract,
    "We'll get back to you within 2 hours during business hours.",
    "Wasn't this you? Your address may have been typed by mistake. Ignore this email, or reply and we'll delete what we hold.",
    `Kind regards\n${agencyName}\n${publicUrl}`,
  ].join('\n\n')
  return {
    subject: `Your ${sent} to ${agencyName}, reference ${referenceOf(leadId)}`,
    fields: [['message', text]],
    to,
    replyTo: null,
    about: leadInWords(personal),
  }
}
