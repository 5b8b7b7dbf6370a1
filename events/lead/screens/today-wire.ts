import * as v from 'valibot'
import { oneOf, type Received } from '../../base/word.ts'
import { assignmentChange } from '../../chat/wire.ts'
import { listedEmails } from '../../email/wire.ts'
import { LEAD_STATES } from '../follow-up/follow-up.ts'
import { leads } from '../wire.ts'

const todaysLeads = v.object({ count: v.number(), leads })

/**
 * A chat whose visitor waits. `waitingSince` is ISO 8601, `lastWords` the beginning of the last message. `assigned` is
 * its assigned staff member, and how it was assigned: null for a chat that was never assigned. It is absent if that
 * cannot be read.
 */
const waitingChat = v.object({
  sessionId: v.string(),
  visitorName: v.string(),
  waitingSince: v.nullable(v.string()),
  lastWords: v.nullable(v.string()),
  assigned: v.exactOptional(v.nullable(assignmentChange)),
})

/**
 * Another lead of the person of `leadId`: the one with the same address or number that was answered last, or that has
 * another owner. `name` is the person it names, or their company. `answeredAt` is ISO 8601; `answeredBy` is the staff
 * member who replied, null if unknown; `ownerId` is its owner.
 */
export const otherRequest = v.object({
  leadId: v.string(),
  otherId: v.string(),
  name: v.string(),
  followUpStatus: oneOf(LEAD_STATES),
  answeredAt: v.nullable(v.string()),
  answeredBy: v.nullable(v.string()),
  ownerId: v.nullable(v.string()),
})

export type OtherRequest = Received<typeof otherRequest>

/**
 * The response of `GET /api/today`: the current work of staff, each kind with its first entries, most urgent first, and
 * how many there are. Leads are counted up to 100. `dueSoon` leads have less than an hour of the promised time left,
 * `fresh` ones more. The `nextActions` are those due today and before. `quarantined` are signed contracts that look
 * like spam and that staff have not judged, newest first. `otherRequests` are other requests of the same people, at
 * most one per lead.
 */
export const today = v.object({
  overdue: todaysLeads,
  dueSoon: todaysLeads,
  fresh: todaysLeads,
  quarantined: todaysLeads,
  nextActions: todaysLeads,
  otherRequests: v.array(otherRequest),
  chats: v.object({ count: v.number(), chats: v.array(waitingChat) }),
  emails: v.object({ count: v.number(), emails: listedEmails }),
})

export type Today = Received<typeof today>
