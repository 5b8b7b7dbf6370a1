import * as v from 'valibot'
import { oneOf, type Received } from '../base/word.ts'
import { LINK_KINDS } from './person.ts'
import { leads } from './wire.ts'

/** What an entry of a person's timeline is about. */
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
 * One thing that happened with a person; the answer of `POST /api/leads/:id/notes`. `id` is that of its event,
 * `timestamp` is ISO 8601, `by` is the name of the staff member who did it. `data` is what the event holds; of an email
 * also the `state` that it left the forward in, and of one to the visitor of a chat, or of an answer that was asked for
 * again, the kind of entry that it `carries`, or `lead_copy` for the copy of a lead to who sent it, which is told of
 * only once it has failed; of a chat the number of its `messages`, and since when its visitor waits, `waitingSince`, ISO
 * 8601, of the ten open ones that began last, where somebody waits. Of an answer it holds what that changed in the lead
 * too, in the lead's own fields, and in `undone` those of them that were taken back alone; of one in a chat also the name of a
 * colleague of its author by whom it was counted as one (`countedBy`). Of a correction it holds what was there before
 * in `was`. `isUndone` says that the whole of it has been taken back.
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

/** Why a lead is taken for the person's: what it has in common with another lead, `leadId`. */
const links = v.array(v.object({ by: oneOf(LINK_KINDS), leadId: v.string() }))

export type Links = Received<typeof links>

/**
 * The answer of `GET /api/leads/:id/person`: the leads of one person, and all that happened with them, oldest first.
 * `links` says of each lead, by its `id`, why it is among them.
 */
export const person = v.object({
  leads,
  timeline: v.array(timelineEntry),
  links: v.array(v.object({ id: v.string(), links })),
})

export type Person = Received<typeof person>

/**
 * The answer of `GET /api/leads/:id/erase`: what can go when the person is erased, leads and chats, oldest first.
 * `asOf` names this list when it is erased. A lead's `links` tell why it is in it: there are none for the lead itself.
 * A lead's `address` is a number that stands for its email address in this list. A chat goes with each lead that has
 * one of its `addresses`, or, if it became a lead, with that one alone: `leadIds`.
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
      address: v.nullable(v.number()),
      links,
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

/** The answer of `POST /api/leads/:id/erase` as long as leads or chats are left that workers are about to erase. */
export const leftToErase = v.object({ left: v.number() })

export type Erasable = Received<typeof erasable>

/** The answer of `GET /api/leads/:id/history`: the events of a lead, oldest first. */
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
