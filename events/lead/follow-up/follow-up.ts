/**
 * Changes by staff are events: status, owner, next action, value and notes, each with its author and time. An undo is
 * an event too. A staff member who saves over a colleague's change of the same field sees that change first, and
 * chooses.
 */

import * as v from 'valibot'
import { defineEvent, type RecordedEvent } from '../../base/definition.ts'
import { calendarDay, givenId, instant, requiredText } from '../../base/text.ts'
import type { OwnPackages } from '../../settings/packages.ts'
import { firstYearOf, type Price } from '../../settings/prices.ts'
import { contractValue } from '../form/contract-value.ts'

/** The longest note, in UTF-16 code units. */
export const MAX_NOTE_CHARACTERS = 5_000
/** The maximum value of a project, in rand. */
export const MAX_PROJECT_VALUE_RAND = 1_000_000_000

/** The follow-up status of a lead; every lead starts as `new`. */
export const FOLLOW_UP_STATUSES = ['new', 'contacted', 'quoted', 'won', 'lost'] as const

/** The statuses of leads that staff may still win. */
export const OPEN_STATUSES = [
  'new',
  'contacted',
  'quoted',
] as const satisfies readonly (typeof FOLLOW_UP_STATUSES)[number][]

export type FollowUpStatus = (typeof FOLLOW_UP_STATUSES)[number]

/**
 * The state of a lead: its follow-up status, or that its person was erased. An erased lead is in no list and cannot be
 * changed.
 */
export const LEAD_STATES = [...FOLLOW_UP_STATUSES, 'erased'] as const

export type LeadState = (typeof LEAD_STATES)[number]

const id = v.pipe(v.string(), v.uuid('Must be a UUID'))

/**
 * The fields that staff may change on a lead; the body of `PATCH /api/leads/:id`. `projectValue` is in rand, `ownerId`
 * names a staff account, `nextActionDate` is a day.
 */
export const followUpForm = v.strictObject({
  followUpStatus: v.exactOptional(v.picklist(FOLLOW_UP_STATUSES, `Must be one of: ${FOLLOW_UP_STATUSES.join(', ')}`)),
  conversionDate: v.exactOptional(v.nullable(instant)),
  projectValue: v.exactOptional(
    v.nullable(v.pipe(v.number(), v.finite(), v.minValue(0, 'Must be 0 or more'), v.maxValue(MAX_PROJECT_VALUE_RAND))),
  ),
  ownerId: v.exactOptional(v.nullable(givenId())),
  nextActionDate: v.exactOptional(v.nullable(calendarDay)),
})

/** A change that staff make on a lead. */
export type FollowUp = v.InferOutput<typeof followUpForm>

/** A note about a lead; the body of `POST /api/leads/:id/notes`. */
export const noteForm = v.strictObject({
  note: requiredText('A note is required', { max: MAX_NOTE_CHARACTERS, lines: true }),
})

/**
 * Holds only the fields that change. `undoes` is the id of the change that this one undoes: the former data of when and
 * by whom the lead had been answered is restored with it.
 */
export const leadFollowUpChanged = defineEvent({
  type: 'LeadFollowUpChanged',
  schemaVersion: 1,
  data: v.object({
    ...followUpForm.entries,
    by: id,
    undoes: v.exactOptional(id),
    answeredAt: v.exactOptional(v.nullable(instant)),
    answeredBy: v.exactOptional(v.nullable(id)),
  }),
  personal: null,
})

/**
 * `restores` is the id of the removal that this note undoes. A note about a reply to the lead names it (`answerId`),
 * and when it was given if not now.
 */
export const leadNoteAdded = defineEvent({
  type: 'LeadNoteAdded',
  schemaVersion: 1,
  data: v.object({
    by: id,
    restores: v.exactOptional(id),
    answerId: v.exactOptional(id),
    answeredAt: v.exactOptional(instant),
  }),
  personal: v.object({ ...noteForm.entries }),
})

/** A note was removed; `noteId` is the event that added it, `answerId` the reply that it was about. */
export const leadNoteRemoved = defineEvent({
  type: 'LeadNoteRemoved',
  schemaVersion: 1,
  data: v.object({ by: id, noteId: id, answerId: v.exactOptional(id) }),
  personal: null,
})

/** The events of follow-up by staff. */
export const followUpEvents = [leadFollowUpChanged, leadNoteAdded, leadNoteRemoved] as const

export type FollowUpEvent = RecordedEvent<(typeof followUpEvents)[number]>

const FIELDS = Object.keys(followUpForm.entries) as (keyof FollowUp)[]

/** The fields that a change touches. */
export const fieldsOf = (change: FollowUp): (keyof FollowUp)[] => FIELDS.filter((field) => change[field] !== undefined)

/** The follow-up of a lead, and its source. */
type Followed = Omit<FollowUp, 'followUpStatus'> & { followUpStatus?: LeadState; leadSource: string }

/** A change by a staff member; `packages` are those of the owners, `agreed` is the price that a contract was signed under. */
type Request = {
  lead: Followed
  change: FollowUp
  staffId: string
  now: Date
  packages: OwnPackages
  agreed?: Price | undefined
}

/** Some fields of a lead, as a change that sets them. */
export const pickFields = (from: FollowUp, fields: readonly (keyof FollowUp)[]): FollowUp =>
  Object.fromEntries(fields.map((field) => [field, from[field]]))

/**
 * A won lead has a conversion date: now, unless it has one. One with a signed contract is worth its first year's price,
 * unless staff set another value.
 */
const withWin = ({ lead, change, now, packages, agreed }: Request): FollowUp => {
  if (change.followUpStatus !== 'won' || lead.followUpStatus === 'won') return change
  const conversionDate = change.conversionDate ?? lead.conversionDate ?? now.toISOString()
  const value = agreed ? firstYearOf(agreed) : contractValue(lead.leadSource, packages)
  return { projectValue: lead.projectValue ?? value, ...change, conversionDate }
}

/** Nothing is planned with a lead that is lost, unless the change plans it. */
const withoutPlan = (lead: Followed, change: FollowUp): FollowUp => {
  const isLostNow = change.followUpStatus === 'lost' && lead.followUpStatus !== 'lost'
  return isLostNow ? { nextActionDate: null, ...change } : change
}

/** The event of a change by staff, or undefined if nothing would change. */
export const changeFollowUp = (request: Request) => {
  const { lead, staffId } = request
  const change = withoutPlan(lead, withWin(request))
  const changed = fieldsOf(change).filter((field) => change[field] !== lead[field])
  if (changed.length === 0) return undefined
  return leadFollowUpChanged({ ...pickFields(change, changed), by: staffId })
}
