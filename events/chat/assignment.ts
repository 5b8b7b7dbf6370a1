/**
 * A chat is unassigned or assigned to one staff member at a time. They take it, hand it over with a note, or release
 * it; an unassigned chat is assigned to the staff member who replies. One assignment stream per session: a change names
 * the version that it was made on, and the first of two changes wins.
 */

import * as v from 'valibot'
import { defineEvent, defineStreams, type RecordedEvent } from '../base/definition.ts'
import { givenId, optionalText } from '../base/text.ts'

const id = v.pipe(v.string(), v.uuid())

/** The longest note for the colleague who gets a chat, in UTF-16 code units. */
export const MAX_HANDOVER_CHARACTERS = 1_000

/** Why a chat was assigned: by a staff member's choice, or because they answered it while it was unassigned. */
export const ASSIGNMENT_REASONS = ['choice', 'answer'] as const

/** Assigns the chat to `to`; null unassigns it. The note is about the visitor, and goes when they are erased. */
export const chatAssigned = defineEvent({
  type: 'ChatAssigned',
  schemaVersion: 1,
  data: v.object({ to: v.nullable(id), by: id, reason: v.picklist(ASSIGNMENT_REASONS) }),
  personal: v.object({ note: v.nullable(v.string()) }),
})

/** One assignment stream per session. */
export const chatAssignmentStreams = defineStreams<RecordedEvent<typeof chatAssigned>>('assignment-of-chat-')

/** The assignment of a chat that was never assigned. */
export const UNASSIGNED = { version: 0, to: null }

/** The request to assign a chat; `version` is the assignment that the staff member saw, 0 for none. */
export const assignmentForm = v.strictObject({
  to: v.nullable(givenId('Choose a colleague')),
  version: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  note: optionalText(MAX_HANDOVER_CHARACTERS, { lines: true }),
})

export type AssignmentForm = v.InferInput<typeof assignmentForm>
