/**
 * Staff correct how a lead is named and reached: an address with a typing error, a number that has changed. The
 * submission stays in the log, and the timeline shows the former values. The person is found by the corrected values.
 */

import * as v from 'valibot'
import { defineEvent, type RecordedEvent } from '../base/definition.ts'
import { entered } from './entry.ts'
import { leadPerson } from './form/form.ts'
import type { Lead, LeadEvent } from './lead.ts'

const id = v.pipe(v.string(), v.uuid())

/**
 * The corrected values of the fields that were wrong; the body of `PATCH /api/leads/:id/contact`. A lead without a name
 * is named by how its person can be reached. An email address or a phone number has to remain.
 */
export const correctionForm = v.strictObject({
  name: v.exactOptional(entered.name),
  email: v.exactOptional(entered.email),
  phone: v.exactOptional(entered.phone),
  company: v.exactOptional(leadPerson.entries.company),
})

/** The new values of a correction: only the fields that change. */
export const correction = v.strictObject({
  name: v.exactOptional(v.string()),
  email: v.exactOptional(v.string()),
  phone: v.exactOptional(v.string()),
  company: v.exactOptional(v.nullable(v.string())),
})

export type Correction = v.InferOutput<typeof correction>

/** The fields that staff can correct. */
export const CORRECTED_FIELDS = ['name', 'email', 'phone', 'company'] as const satisfies (keyof Correction)[]

export type CorrectedField = (typeof CORRECTED_FIELDS)[number]

/** Staff corrected a lead. `undoes` is the event id of the correction that this one undoes. */
export const leadCorrected = defineEvent({
  type: 'LeadCorrected',
  schemaVersion: 1,
  data: v.object({ by: id, undoes: v.exactOptional(id) }),
  personal: correction,
})

export type LeadCorrectedEvent = RecordedEvent<typeof leadCorrected>

/** The fields that a correction touches; none once its person has been erased. */
export const correctedFields = (from: Correction | null): CorrectedField[] =>
  CORRECTED_FIELDS.filter((field) => from?.[field] !== undefined)

/** Some fields of a lead, as a correction that puts them in place. */
export const pickCorrected = (from: Correction, fields: readonly CorrectedField[]): Correction =>
  Object.fromEntries(fields.map((field) => [field, from[field]]))

/** Whether two corrections touch the same field. */
export const shareCorrected = (one: Correction | null, other: Correction | null) =>
  correctedFields(one).some((field) => other?.[field] !== undefined)

const differing = (lead: Lead, from: Correction) =>
  pickCorrected(
    from,
    correctedFields(from).filter((field) => from[field] !== lead[field]),
  )

/** A name that only repeats the address or the number follows them. */
const nameAfter = (lead: Lead, from: Correction) => {
  const { email, phone } = { ...lead, ...from }
  const isNamed = lead.name !== lead.email && lead.name !== lead.phone
  return (from.name ?? (isNamed ? lead.name : '')) || email || phone
}

/** The event of a correction, or undefined if nothing would change. */
export const correctLead = (request: { lead: Lead; correction: Correction; staffId: string }) => {
  const { lead, correction: wanted, staffId } = request
  const personal = differing(lead, { ...wanted, name: nameAfter(lead, wanted) })
  if (correctedFields(personal).length === 0) return undefined
  return leadCorrected({ by: staffId }, { subjectId: lead.id, personal })
}

/**
 * The corrections by others, since the version that the author saw, of the very fields that their correction is about.
 */
export const correctionsMissed = (
  { lead, events }: { lead: Lead; events: LeadEvent[] },
  request: { correction: Correction; staffId: string; seenVersion: number },
): LeadCorrectedEvent[] => {
  const wanted = differing(lead, request.correction)
  return events.filter(
    (event): event is LeadCorrectedEvent =>
      event.type === 'LeadCorrected' &&
      event.version > request.seenVersion &&
      event.data.by !== request.staffId &&
      shareCorrected(event.personal, wanted),
  )
}
