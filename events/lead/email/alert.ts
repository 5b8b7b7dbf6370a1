import * as v from 'valibot'
import { defineEvent, defineStreams, type RecordedEvent } from '../../base/definition.ts'
import { referenceOf } from '../../base/reference.ts'
import type { Email, EmailEvent } from '../../email/email.ts'
import { sentInWords } from '../form/kind.ts'
import type { Lead } from '../lead.ts'
import { leadInWords } from '../name.ts'

/** Why staff are notified of a lead: it is new, or has had no reply for LATE_AFTER_MS of support time. */
export const LEAD_ALERTS = ['new', 'late'] as const

export type LeadAlert = (typeof LEAD_ALERTS)[number]

/**
 * The support time after which owners are notified that a lead has no reply yet: half an hour before the promised time
 * ends.
 */
export const LATE_AFTER_MS = 90 * 60 * 1000

/** An older lead is no longer news: no email is sent about it. */
export const ALERT_UNTIL_MS = 7 * 24 * 60 * 60 * 1000

/**
 * An email about a lead goes to one staff member: once per lead, person and alert. The data subject is the event's own
 * id: the address is erased with the account, and the lead on its own.
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

/** A notification about a lead goes to all devices of one staff member: once per lead, person and alert. */
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

/** A later notification is no longer news and is not sent. */
export const PUSH_UNTIL_MS = 60 * 60 * 1000

const PUSH_TITLES: Record<LeadAlert, string> = { new: 'New lead', late: 'No answer for 90 minutes' }

/** The notification on a device: our own words and the lead's reference, because others may see a locked screen. */
export const pushMessage = ({ leadId, alert }: { leadId: string; alert: LeadAlert }) => ({
  title: PUSH_TITLES[alert],
  body: `Reference ${referenceOf(leadId)}`,
  leadId,
})

/** One stream per lead, of its alerts and their outcomes. */
export const leadAlertStreams = defineStreams<
  RecordedEvent<typeof leadAlertRequested> | RecordedEvent<typeof leadPushRequested> | EmailEvent
>('alerts-of-lead-')

/** Whether a lead that is not flagged still waits for a reply. */
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

const OPENINGS: Record<LeadAlert, (sent: string) => string> = {
  new: (sent) => `A new ${sent} has come in. The website promises an answer within 2 hours.`,
  late: (sent) =>
    `This ${sent} has had no reply for 90 minutes of support time. The promise of 2 hours ends in half an hour.`,
}

/** The email to a staff member. The subject holds only our own words. */
export const leadAlertEmail = (
  lead: Lead,
  { alert, to, publicUrl }: { alert: LeadAlert; to: string; publicUrl: string },
): Email => {
  const sent = sentInWords(lead.leadSource)
  const lines = LABELS.flatMap(([field, label]) => (lead[field] ? [`${label}: ${lead[field]}`] : []))
  const text = [
    OPENINGS[alert](sent),
    lines.join('\n'),
    `Open the lead: ${publicUrl}/admin-lead?id=${lead.id}`,
    `Your account says which of these emails you get: ${publicUrl}/admin-account`,
  ].join('\n\n')
  return {
    subject: `${SUBJECTS[alert]} ${sent}, reference ${referenceOf(lead.id)}`,
    fields: [['message', text]],
    to,
    replyTo: null,
    about: leadInWords(lead),
  }
}
