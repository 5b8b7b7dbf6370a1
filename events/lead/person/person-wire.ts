import * as v from 'valibot'
import { oneOf, type Received } from '../../base/word.ts'
import { leads } from '../wire.ts'

/** The kinds of entries in a person's timeline. */
export const ENTRY_KINDS = [
  'lead',
  'chat_lead',
  'contract',
  'questionnaire',
  'follow_up',
  'note',
  'note_removed',
  'corrected',
  'flagged',
  'released',
  'erased',
  'email',
  'chat',
  'chat_ended',
  'transcript',
  'unread_answers',
  'answer_email',
  'whatsapp',
  'call',
  'call_unanswered',
  'answer_failed',
  'answer_arrived',
  'chat_answer',
  'chat_handed',
  'contact_removed',
  'entered',
  'imported',
  'merged',
  'unmerged',
] as const

/**
 * One entry of a person's timeline; the response of `POST /api/leads/:id/notes`. `id` is that of its event, `timestamp`
 * is ISO 8601, `by` is the name of the staff member who acted. `data` is the event's data, with additions by kind:
 *
 * - an email: the `state` of the email after it; one to the visitor of a chat, or of a reply that was requested again,
 *   also the kind of entry that it `carries`, or `lead_copy` for the copy of a lead to its sender, which has an entry
 *   only once it has failed
 * - a chat: the number of its `messages`, and since when its visitor waits, `waitingSince`, ISO 8601, for the ten open
 *   ones that began last, if the visitor waits
 * - a reply: the changes of the lead by it, in the lead's own fields, and in `undone` those that were undone alone; one
 *   in a chat also the name of a colleague of its author who counted it as one (`countedBy`)
 * - a correction: the former values in `was`
 *
 * `isUndone` says that all of it has been undone.
 */
export const timelineEntry = v.object({
  id: v.string(),
  kind: oneOf(ENTRY_KINDS),
  timestamp: v.string(),
  by: v.nullable(v.string()),
  leadId: v.nullable(v.string()),
  sessionId: v.nullable(v.string()),
  data: v.record(v.string(), v.unknown()),
  isUndoable: v.boolean(),
  isUndone: v.boolean(),
})

export type TimelineEntry = Received<typeof timelineEntry>

/**
 * The kinds of links between two leads: an address; a number; a merge; a chat that one was made of and that had the
 * other's address or number, or one of the chat that the other was made of; or an earlier address or number, which the
 * other had before it was corrected, and which may be a stranger's.
 */
export const LINK_KINDS = ['email', 'phone', 'merge', 'chat', 'earlier'] as const

/** Why a lead belongs to the person: its link with another lead, `leadId`. */
const links = v.array(v.object({ by: oneOf(LINK_KINDS), leadId: v.string() }))

export type Links = Received<typeof links>

/**
 * The response of `GET /api/leads/:id/person`: the leads of one person, and their timeline, oldest first. `links` says
 * for each lead, by its `id`, why it is among them.
 */
export const person = v.object({
  leads,
  timeline: v.array(timelineEntry),
  links: v.array(v.object({ id: v.string(), links })),
})

export type Person = Received<typeof person>

/**
 * The response of `GET /api/leads/:id/erase`: the leads and chats that can be erased with the person, oldest first.
 * `asOf` names this list when it is erased. A lead's `links` say why it is in the list: there are none for the lead
 * itself. A lead's `addresses` are numbers that represent its email address and its telephone number in this list. A
 * chat is erased with each lead that has one of its `addresses`, or, if it became a lead, only with that one:
 * `leadIds`.
 */
export const erasable = v.object({
  asOf: v.number(),
  leads: v.array(
    v.object({
      id: v.string(),
      name: v.string(),
      company: v.nullable(v.string()),
      email: v.string(),
      phone: v.string(),
      timestamp: v.string(),
      mergedInto: v.nullable(v.string()),
      addresses: v.array(v.number()),
      links,
      contract: v.exactOptional(v.object({ until: v.nullable(v.string()) })),
    }),
  ),
  chats: v.array(
    v.object({
      sessionId: v.string(),
      visitorName: v.string(),
      startTime: v.string(),
      messages: v.number(),
      leadIds: v.exactOptional(v.array(v.string())),
      addresses: v.exactOptional(v.array(v.number())),
    }),
  ),
})

/** The response of `POST /api/leads/:id/erase` while leads or chats are left for workers to erase. */
export const leftToErase = v.object({ left: v.number() })

export type Erasable = Received<typeof erasable>

/** The response of `GET /api/leads/:id/history`: the events of a lead, oldest first. */
export const leadHistory = v.array(
  v.object({
    id: v.string(),
    type: v.string(),
    version: v.number(),
    timestamp: v.string(),
    by: v.nullable(v.string()),
    data: v.record(v.string(), v.unknown()),
    actor: v.object({
      type: oneOf(['visitor', 'staff', 'token', 'system']),
      id: v.optional(v.string()),
      name: v.optional(v.string()),
    }),
    requestId: v.string(),
  }),
)
