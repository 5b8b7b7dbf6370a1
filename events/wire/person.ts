import * as v from 'valibot'
import { leads } from './lead.ts'
import { oneOf, type Received } from './word.ts'

/** What an entry of a person's timeline is about. */
export const ENTRY_KINDS = [
  'lead',
  'chat_lead',
  'contract',
  'questionnaire',
  'follow_up',
  'note',
  'note_removed',
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
  'entered',
  'imported',
  'merged',
  'unmerged',
] as const

/**
 * One thing that happened with a person; the answer of `POST /api/leads/:id/notes`. `id` is that of its event, `timestamp`
 * is ISO 8601, `by` is the name of the staff member who did it. `data` is what the event holds; of an e-mail also the
 * `state` that it left the forward in, and of one to the visitor of a chat the kind of entry that it `carries`; of a chat
 * the number of its `messages`. `isUndone` says that it has been taken back.
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

/** The answer of `GET /api/leads/:id/person`: the leads of one person, and all that happened with them, oldest first. */
export const person = v.object({ leads, timeline: v.array(timelineEntry) })

export type Person = Received<typeof person>

/**
 * The answer of `GET /api/leads/:id/erase`: what goes when the person is erased, leads and chats, oldest first. `asOf` names
 * this list when it is erased.
 */
export const erasable = v.object({
  asOf: v.exactOptional(v.number()),
  leads: v.array(
    v.object({ id: v.string(), name: v.string(), email: v.string(), phone: v.string(), timestamp: v.string() }),
  ),
  chats: v.array(
    v.object({ sessionId: v.string(), visitorName: v.string(), startTime: v.string(), messages: v.number() }),
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
