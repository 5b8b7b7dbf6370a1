import * as v from 'valibot'
import { defineEvent, defineStreams, type RecordedEvent } from '../base/definition.ts'
import type { Email, EmailEvent } from '../email/email.ts'
import { sentInWords } from './kind.ts'
import type { Lead } from './lead.ts'
import { leadInWords } from './name.ts'
import { referenceOf } from './reference.ts'

/** Why staff are told of a lead: it is new, or nobody has answered it for LATE_AFTER_MS of support time. */
export const LEAD_ALERTS = ['new', 'late'] as const

export type LeadAlert = (typeof LEAD_ALERTS)[number]

/** Support time after which owners are told that a lead has no answer yet: half an hour before the promise is broken. */
export const LATE_AFTER_MS = 90 * 60 * 1000

/** A lead that came longer ago is no news any more: nobody gets an email about it. */
export const ALERT_UNTIL_MS = 7 * 24 * 60 * 60 * 1000

/**
 * An email about a lead goes to one member of staff: once for a lead, a person and an alert. The data subject is the
 * event's own id, so that the address can be erased with the account, and the lead by itself.
 */
export const leadAlertRequested = defineEvent({
  type: 'LeadAlertRequested',
  schemaVersion: 1,
  data: v.object({
    leadId: v.pipe(v.string(), v.uuid()),
    accountId: v.pipe(v.string(), v.uuid()),
    alert: v.picklist(LEAD_ALERTS),
  }),
  personal: v.object({ to: v.string() }),
})

/** A notification about a lead goes to all devices of one member of staff: once for a lead, a person and an alert. */
export const leadPushRequested = defineEvent({
  type: 'LeadPushRequested',
  schemaVersion: 1,
  data: v.object({
    leadId: v.pipe(v.string(), v.uuid()),
    accountId: v.pipe(v.string(), v.uuid()),
    alert: v.picklist(LEAD_ALERTS),
  }),
  personal: null,
})

/** A notification that comes later than this is no news: nobody gets it. */
export const PUSH_UNTIL_MS = 60 * 60 * 1000

const PUSH_TITLES: Record<LeadAlert, string> = { new: 'New lead', late: 'No answer for 90 minutes' }

/** What a device is told: words of ours and the lead's reference, since others may see a locked screen. */
export const pushMessage = ({ leadId, alert }: { leadId: string; alert: LeadAlert }) => ({
  title: PUSH_TITLES[alert],
  body: `Reference ${referenceOf(leadId)}`,
  leadId,
})

/** A stream a lead, of its alerts and what became of them. */
export const leadAlertStreams = defineStreams<
  RecordedEvent<typeof leadAlertRequested> | RecordedEvent<typeof leadPushRequested> | EmailEvent
>('alerts-of-lead-')

/** Whether somebody still has to answer a lead that is a person's. */
export const isUnanswered = ({ suspicion, followUpStatus }: Lead) => !suspicion && followUpStatus === 'new'

const LABELS = [
  ['name', 'Name'],
  ['phone', 'Phone'],
  ['email', 'Email'],
  ['businessName', 'Business'],
  ['company', 'Company'],
  ['package', 'Package'],
  ['timeline', 'Timeline'],
] as const

const SUBJECTS: Record<LeadAlert, string> = {
  new: 'New',
  late: 'No answer for 90 minutes:',
}

const OPENINGS: Record<LeadAlert, (what: string) => string> = {
  new: (what) => `A new ${what} has come in. The website promises an answer within 2 hours.`,
  late: (what) =>
    `Nobody has answered this ${what} for 90 minutes of support time. The promise of 2 hours ends in half an hour.`,
}

/** The email to a member of staff. The subject holds words of ours only. */
export const leadAlertEmail = (
  lead: Lead,
  { alert, to, publicUrl }: { alert: LeadAlert; to: string; publicUrl: string },
): Email => {
  const what = sentInWords(lead.leadSource)
  const lines = LABELS.flatMap(([field, label]) => (lead[field] ? [`${label}: ${lead[field]}`] : []))
  const text = [
    OPENINGS[alert](what),
    lines.join('\n'),
    `Open the lead: ${publicUrl}/admin-lead?id=${lead.id}`,
    `Your account says which of these emails you get: ${publicUrl}/admin-account`,
  ].join('\n\n')
  return {
    subject: `${SUBJECTS[alert]} ${what}, reference ${referenceOf(lead.id)}`,
    fields: [['message', text]],
    to,
    replyTo: null,
    about: leadInWords(lead),
  }
}
