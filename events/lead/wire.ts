import * as v from 'valibot'
import { oneOf, type Received } from '../base/word.ts'
import { DELIVERY_STATES } from '../email/email.ts'
import { FOLLOW_UP_STATUSES, LEAD_STATES } from './follow-up/follow-up.ts'
import { FLAG_REASONS } from './form/spam-signals.ts'
import { touch as sentTouch, type Touch } from './form/touch.ts'

const text = v.nullable(v.string())

/** The touch of a visitor, as it was recorded. */
const touch = v.object(v.entriesFromList(Object.keys(sentTouch.entries) as (keyof Touch)[], text))

/**
 * A lead.
 *
 * - `phoneLinks` has `phone` as people read it, the link that calls its first number, and the one that opens WhatsApp
 *   if a number may be a mobile one; null if no number can be read.
 * - `timestamp`, `conversionDate` and `answeredAt` are ISO 8601 instants, `nextActionDate` is a day (yyyy-mm-dd),
 *   `projectValue` is in rand.
 * - `ownerId` is the staff member who is its owner.
 * - `answeredAt` is when its status last left `new`, or the time of the call or message that caused this, and
 *   `answeredBy` the staff member who replied or changed the status; null as long as it has no reply.
 * - `givenAnswers` are the replies from which the status (`isStatus`) or the owner (`isOwner`) follows, oldest first;
 *   staff have set both if there are none.
 * - `version` is that of its stream.
 * - Only a flagged lead in quarantine has a `suspicion`, and one that staff flagged also their id, `flaggedBy`.
 * - `emailStatus` is null if no email is sent.
 * - `mergedInto` is the lead that this one was merged into, and that stays. Lists, live updates, and the palette from
 *   three letters on say in `hasMerged` that others were merged into this one; results for fewer letters, a lead by
 *   itself and the leads of a person do not.
 * - `unansweredCalls` are the unanswered calls that staff recorded, each by its event's id and when it was made, ISO
 *   8601, oldest first; never an empty list.
 * - `emailFailedAt` is when a reply by email failed, for a lead that waits again because of that.
 * - `answers` are those of a questionnaire, by the names of its fields.
 * - `contractCopy` is the path of the private link to the signed copy. Only the response to a signed contract has it.
 */
export const lead = v.object({
  id: v.string(),
  name: v.string(),
  email: v.string(),
  phone: v.string(),
  phoneLinks: v.nullable(v.object({ shown: v.string(), call: v.string(), whatsapp: text })),
  company: text,
  businessName: text,
  industry: text,
  package: text,
  message: text,
  answers: v.exactOptional(v.record(v.string(), v.string())),
  timeline: text,
  leadSource: v.string(),
  pageUrl: text,
  agreedToTerms: v.nullable(v.boolean()),
  firstTouch: v.nullable(touch),
  lastTouch: v.nullable(touch),
  suspicion: v.exactOptional(v.array(oneOf(FLAG_REASONS))),
  flaggedBy: v.exactOptional(v.string()),
  timestamp: v.pipe(v.string(), v.isoTimestamp()),
  followUpStatus: oneOf(LEAD_STATES),
  conversionDate: text,
  projectValue: v.nullable(v.number()),
  ownerId: text,
  nextActionDate: text,
  answeredAt: text,
  answeredBy: text,
  givenAnswers: v.array(
    v.object({
      id: v.string(),
      by: v.string(),
      at: v.string(),
      ownerId: v.string(),
      isStatus: v.boolean(),
      isOwner: v.boolean(),
      isWithdrawn: v.boolean(),
      hasFailed: v.boolean(),
    }),
  ),
  emailStatus: v.nullable(oneOf(DELIVERY_STATES)),
  mergedInto: v.exactOptional(v.string()),
  hasMerged: v.exactOptional(v.literal(true)),
  unansweredCalls: v.exactOptional(v.array(v.object({ id: v.string(), timestamp: v.string() }))),
  emailFailedAt: v.exactOptional(v.string()),
  contractCopy: v.exactOptional(v.string()),
  version: v.number(),
})

/** A lead as a page gets it. */
export type Lead = Received<typeof lead>

/** Whether the person behind a lead has been erased: every form asks for an email address and a number. */
export const isErased = ({ email, phone }: Pick<Lead, 'email' | 'phone'>) => !email && !phone

/** Whether a lead is in lists and figures: not if it was merged into another one or its person was erased. */
export const isListed = ({ mergedInto, followUpStatus }: Pick<Lead, 'mergedInto' | 'followUpStatus'>) =>
  mergedInto === undefined && followUpStatus !== 'erased'

/** The response of `GET /api/leads`. */
export const leads = v.array(lead)

/** The response of `GET /api/leads/summary`: how many leads there are, in all and by day, newest day first. */
export const leadSummary = v.object({
  total: v.number(),
  days: v.array(v.object({ day: v.string(), count: v.number() })),
})

/** The response of `GET /api/leads/stages`: how many leads each stage has, and their value. */
export const leadStages = v.array(
  v.object({ status: v.picklist(FOLLOW_UP_STATUSES), leads: v.number(), valued: v.number(), value: v.number() }),
)

/**
 * The response of `GET /api/leads/waiting`: how many leads wait for their first reply, how many of them for longer than
 * promised, both counted up to 100, and at most the 20 newest, newest first.
 */
export const waitingLeads = v.object({
  count: v.number(),
  overdue: v.number(),
  newest: v.array(v.object({ id: v.string(), timestamp: v.pipe(v.string(), v.isoTimestamp()) })),
})

export type WaitingLeads = Received<typeof waitingLeads>

/** The refusal of a change because another one was faster: the lead as it is now, and the other changes. */
export const leadConflict = v.object({
  lead,
  changes: v.array(
    v.object({ id: v.string(), by: text, timestamp: v.string(), data: v.record(v.string(), v.unknown()) }),
  ),
})

export type LeadConflict = Received<typeof leadConflict>

/** The response of `POST /api/submit-website-info`. */
export const submittedWebsiteInfo = v.object({ success: v.literal(true), leadId: v.string() })
