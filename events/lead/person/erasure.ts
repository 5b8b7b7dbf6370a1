import * as v from 'valibot'
import { defineEvent, defineStreams, type RecordedEvent } from '../../base/definition.ts'

const id = v.pipe(v.string(), v.uuid())
const position = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

/** How many leads and chats one request names at most: a worker erases them in one step. */
const PART_SUBJECTS = 100

/**
 * An owner, or a period of storage that is over (`by` is null), asked for these leads and chats of one person to be erased. Workers erase them, however often they are
 * stopped. If there are more leads and chats than fit, several such events follow each other. `asOf` is the position of
 * the log of the list that the owner saw; null if they named no list.
 */
export const erasureRequested = defineEvent({
  type: 'ErasureRequested',
  schemaVersion: 1,
  data: v.object({ asOf: v.nullable(position), leads: v.array(id), chats: v.array(id), by: v.nullable(id) }),
  personal: null,
})

/** The events of an erasure's stream. */
export type ErasureEvent = RecordedEvent<typeof erasureRequested>

/** One stream for each erased person, named by the id of the lead from which the owner erased them. */
export const erasureStreams = defineStreams<ErasureEvent>('erasure-')

/** The request of an owner: chats are erased first, then leads in the order in which they are named. */
type Erased = { chats: readonly string[]; leads: readonly string[]; asOf: number | null; by: string | null }

/** The events that ask for an erasure, in the order in which their leads and chats go. */
export const requestErasure = ({ chats, leads, asOf, by }: Erased): ReturnType<typeof erasureRequested>[] => {
  const subjects = [...chats.map((chat) => ({ chat })), ...leads.map((lead) => ({ lead }))]
  const count = Math.ceil(subjects.length / PART_SUBJECTS)
  return Array.from({ length: count }, (_, index) => {
    const part = subjects.slice(index * PART_SUBJECTS, (index + 1) * PART_SUBJECTS)
    return erasureRequested({
      asOf,
      leads: part.flatMap((subject) => ('lead' in subject ? [subject.lead] : [])),
      chats: part.flatMap((subject) => ('chat' in subject ? [subject.chat] : [])),
      by,
    })
  })
}
