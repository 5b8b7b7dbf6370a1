/**
 * A chat is assigned to one member of staff at a time, or to nobody. They take it, hand it over with a note, or let it go;
 * who answers a chat that is nobody's gets it. A stream a session, apart from its activity, which older nodes read. Its
 * version tells whose change came first: a change names the version that it was made on.
 */

import * as v from 'valibot'
import { defineEvent, defineStreams, type RecordedEvent } from './definition.ts'
import { givenId, optionalText } from './text.ts'

const id = v.pipe(v.string(), v.uuid())

/** The longest note for the colleague who gets a chat, in UTF-16 code units. */
export const MAX_HANDOVER_CHARACTERS = 1_000

/** What assigns a chat: somebody chose to, or answered it while it was nobody's. */
export const ASSIGNMENT_REASONS = ['choice', 'answer'] as const

/** The chat is `to`'s from now on, or nobody's. The note tells about the visitor, and goes when they are erased. */
export const chatAssigned = defineEvent({
  type: 'ChatAssigned',
  schemaVersion: 1,
  data: v.object({ to: v.nullable(id), by: id, reason: v.picklist(ASSIGNMENT_REASONS) }),
  personal: v.object({ note: v.nullable(v.string()) }),
})

/** A stream a session, of whose chat it is. */
export const chatAssignmentStreams = defineStreams<RecordedEvent<typeof chatAssigned>>('assignment-of-chat-')

/** What staff send to assign a chat; `version` is the assignment that they saw, 0 for none. */
export const assignmentForm = v.strictObject({
  to: v.nullable(givenId('Choose a colleague')),
  version: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  note: optionalText(MAX_HANDOVER_CHARACTERS, { lines: true }),
})

export type AssignmentForm = v.InferInput<typeof assignmentForm>
