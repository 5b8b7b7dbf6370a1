import type { RecordedEvent } from './definition.ts'
import {
  type FollowUp,
  fieldsOf,
  leadFollowUpChanged,
  leadNoteAdded,
  leadNoteRemoved,
  pickFields,
} from './follow-up.ts'
import { evolveLead, type Lead, type LeadEvent, leadReleased } from './lead.ts'
import {
  type Correction,
  correctedFields,
  type LeadCorrectedEvent,
  leadCorrected,
  pickCorrected,
  shareCorrected,
} from './lead-correction.ts'
import { isReachable } from './lead-entry.ts'

type FollowUpChange = RecordedEvent<typeof leadFollowUpChanged>

/** The lead as it was before an event of its stream. */
const leadBefore = ({ version }: LeadEvent, events: LeadEvent[]): Lead | undefined =>
  events.filter((other) => other.version < version).reduce<Lead | undefined>(evolveLead, undefined)

const share = (one: FollowUp, other: FollowUp) => fieldsOf(one).some((field) => other[field] !== undefined)

/**
 * What somebody else has changed of the very fields that a change is about, since the version of the lead that its author
 * saw. A field that stands as the author wants it gives nothing to choose.
 */
export const changesMissed = (
  { lead, events }: { lead: Lead; events: LeadEvent[] },
  { change, staffId, seenVersion }: { change: FollowUp; staffId: string; seenVersion: number },
): FollowUpChange[] => {
  const wanted = fieldsOf(change).filter((field) => change[field] !== lead[field])
  return events.filter(
    (event): event is FollowUpChange =>
      event.type === 'LeadFollowUpChanged' &&
      event.version > seenVersion &&
      (event.data.by !== staffId || event.data.failedEmailId !== undefined) &&
      share(event.data, pickFields(change, wanted)),
  )
}

/** Whether the person of a lead has been erased, by all events of its stream. */
export const holdsErasure = (events: { type: string }[]) => events.some(({ type }) => type === 'LeadErased')

/** The address and the number by which a lead's person was reached, at first and after each correction, oldest first. */
export const contactsOver = (events: readonly LeadEvent[]): Pick<Lead, 'email' | 'phone'>[] => {
  let lead: Lead | undefined
  return events.flatMap((event) => {
    lead = evolveLead(lead, event)
    return lead ? [{ email: lead.email, phone: lead.phone }] : []
  })
}

/** What was there before a correction, in the fields that it touches. */
export const correctionBefore = (event: LeadCorrectedEvent, events: LeadEvent[]): Correction | undefined => {
  const before = leadBefore(event, events)
  return before && pickCorrected(before, correctedFields(event.personal))
}

/** Whether a way to reach the person would be left if a correction were taken back. */
const isReachableWithout = (event: LeadCorrectedEvent, events: LeadEvent[]) => {
  const lead = events.reduce<Lead | undefined>(evolveLead, undefined)
  return lead !== undefined && isReachable({ ...lead, ...correctionBefore(event, events) })
}

/**
 * Whether an event of a lead's stream can be taken back: a change, as long as no later one touched the same fields; a
 * note, and the removal of one, until that has been done or the person has been erased; a correction, as long as all of
 * this holds and a way to reach the person is left; and that staff flagged the lead, until it is released.
 */
export const isUndoable = (event: LeadEvent, events: LeadEvent[]): boolean => {
  const later = events.filter(({ version }) => version > event.version)
  switch (event.type) {
    case 'LeadFollowUpChanged':
      return !later.some((other) => other.type === 'LeadFollowUpChanged' && share(event.data, other.data))
    case 'LeadNoteAdded':
      return !holdsErasure(events) && !later.some((o) => o.type === 'LeadNoteRemoved' && o.data.noteId === event.id)
    case 'LeadNoteRemoved':
      return !holdsErasure(events) && !later.some((o) => o.type === 'LeadNoteAdded' && o.data.restores === event.id)
    case 'LeadCorrected':
      return (
        !holdsErasure(events) &&
        !later.some((other) => other.type === 'LeadCorrected' && shareCorrected(event.personal, other.personal)) &&
        isReachableWithout(event, events)
      )
    case 'LeadFlagged':
      return !holdsErasure(events) && !later.some(({ type }) => type === 'LeadReleased')
    default:
      return false
  }
}

/** The event that took another one back, if one did. */
const undoingOf = ({ id }: LeadEvent, events: LeadEvent[]) =>
  events.find(
    ({ type, data }) =>
      ('undoes' in data && data.undoes === id) ||
      (type === 'LeadNoteRemoved' && data.noteId === id) ||
      (type === 'LeadNoteAdded' && data.restores === id),
  )

/** Whether an event has been taken back, by one that has not been taken back itself. */
export const isUndone = (event: LeadEvent, events: LeadEvent[]): boolean => {
  const undoing = undoingOf(event, events)
  return undoing !== undefined && !isUndone(undoing, events)
}

const takesBack = ({ type, data }: LeadEvent) =>
  (type !== 'LeadReleased' && 'undoes' in data && data.undoes !== undefined) ||
  type === 'LeadNoteRemoved' ||
  (type === 'LeadNoteAdded' && data.restores !== undefined)

/**
 * What is taken back as one with an event: of an undo all that its request took back, of a lead that staff flagged the
 * change to lost that came with it.
 */
export const takenBackTogether = (event: LeadEvent, events: LeadEvent[]): LeadEvent[] => {
  const ofRequest = events.filter(({ metadata }) => metadata.correlationId === event.metadata.correlationId)
  if (takesBack(event)) return ofRequest.filter(takesBack)
  const isLoss = ({ type, version }: LeadEvent) => type === 'LeadFollowUpChanged' && version === event.version - 1
  return event.type === 'LeadFlagged' ? [...ofRequest.filter(isLoss), event] : [event]
}

/** The event by which a staff member takes back one that is undoable: it puts back what was there before. */
export const undo = (event: LeadEvent, events: LeadEvent[], staffId: string) => {
  switch (event.type) {
    case 'LeadFollowUpChanged': {
      const before = leadBefore(event, events)
      if (!before || before.followUpStatus === 'erased') return undefined
      const { followUpStatus } = before
      const fields = fieldsOf(event.data)
      const answered = fields.includes('followUpStatus') && { answeredAt: before.answeredAt }
      const data = { ...pickFields({ ...before, followUpStatus }, fields), ...answered, by: staffId, undoes: event.id }
      return leadFollowUpChanged(data)
    }
    case 'LeadNoteAdded':
      return leadNoteRemoved({ by: staffId, noteId: event.id })
    case 'LeadNoteRemoved': {
      const note = events.find(({ id }) => id === event.data.noteId)
      if (note?.type !== 'LeadNoteAdded' || !note.personal || !note.subjectId) return undefined
      const { subjectId, personal } = note
      return leadNoteAdded({ by: staffId, restores: event.id }, { subjectId, personal })
    }
    case 'LeadCorrected': {
      const personal = correctionBefore(event, events)
      if (!personal || !event.subjectId) return undefined
      return leadCorrected({ by: staffId, undoes: event.id }, { subjectId: event.subjectId, personal })
    }
    case 'LeadFlagged':
      return leadReleased({ by: staffId, forwards: null, undoes: event.id })
    default:
      return undefined
  }
}
