import { randomUUID } from 'node:crypto'
import type { leadFlagged } from '../../events/lead/flag.ts'
import { leadFollowUpChanged } from '../../events/lead/follow-up/follow-up.ts'
import type { SpamSignal } from '../../events/lead/form/spam-signals.ts'
import { type leadErased, leadReleased, leadStreams, submitLead as leadSubmission } from '../../events/lead/lead.ts'
import { SETTINGS_STREAM } from '../../events/settings/settings.ts'
import { supportHoursPart } from '../../events/settings/support-hours.ts'
import { sampleLeadForm } from '../../events/testing/fixtures/samples.ts'
import type { TestDelivering } from './delivering.ts'

export const MINUTE_MS = 60_000

/** Support hours that never end. */
export const ALWAYS = { days: [1, 2, 3, 4, 5, 6, 7], opensAtMinute: 0, closesAtMinute: 24 * 60 }

export const inMinutes = (minutes: number): Date => new Date(Date.now() + minutes * MINUTE_MS)

type Log = Pick<TestDelivering, 'log'>

/** Makes the support hours of an agency ones that never end. */
export const neverClose = async ({ log }: Log): Promise<void> => {
  const events = [{ id: randomUUID(), ...supportHoursPart.changed({ ...ALWAYS, by: randomUUID() }) }]
  await log.append({ stream: SETTINGS_STREAM, expectedVersion: 'any', events })
}

/** Adds an account without a password. Returns its id. */
export const hire = async ({ sql }: Pick<TestDelivering, 'sql'>, role: 'owner' | 'agent'): Promise<string> => {
  const id = randomUUID()
  await sql`
    insert into staff (id, username, display_name, password_hash, role) values (${id}, ${id}, 'Somebody', '', ${role})`
  return id
}

/** Sends a form as a visitor. Returns the id of the lead. */
export const submitLead = async (
  { log }: Log,
  fields: object = {},
  spamSignals: SpamSignal[] = [],
): Promise<string> => {
  const leadId = randomUUID()
  const submissionContext = { touches: { firstTouch: null, lastTouch: null }, spamSignals }
  const event = leadSubmission({ leadId, form: sampleLeadForm(fields) }, submissionContext)
  await log.append({ stream: leadStreams.of(leadId), expectedVersion: 0, events: [{ id: leadId, ...event }] })
  return leadId
}

/** Appends to a lead. */
export const change = async (
  { log }: Log,
  leadId: string,
  event: ReturnType<typeof leadFollowUpChanged | typeof leadErased | typeof leadFlagged | typeof leadReleased>,
): Promise<void> => {
  const events = [{ id: randomUUID(), ...event }]
  await log.append({ stream: leadStreams.of(leadId), expectedVersion: 'any', events })
}

/** Replies to a lead as staff. */
export const answerLead = (mail: Log, leadId: string, by: string): Promise<void> =>
  change(mail, leadId, leadFollowUpChanged({ by, followUpStatus: 'contacted' }))

/** Staff let a flagged lead out. */
export const releaseLead = (mail: Log, leadId: string, emailId: string | null): Promise<void> =>
  change(mail, leadId, leadReleased({ by: randomUUID(), emailId }))
