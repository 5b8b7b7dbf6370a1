import {
  type Correction,
  correctedFields,
  type LeadCorrectedEvent,
  leadCorrected,
  pickCorrected,
  shareCorrected,
} from './correction.ts'
import { isReachable } from './entry.ts'
import { answerIdOf, type LeadAnsweredEvent, leadAnswerRestored, leadAnswerWithdrawn } from './follow-up/answered.ts'
import {
  type FollowUp,
  fieldsOf,
  leadFollowUpChanged,
  leadNoteAdded,
  leadNoteRemoved,
  pickFields,
} from './follow-up/follow-up.ts'
import { evolveLead, holdsErasure, type Lead, type LeadEvent, leadReleased } from './lead.ts'

/** Whether an event itself says which reply counts, and is not a note of one. */
const isAnswered = (event: LeadEvent): event is LeadAnsweredEvent => event.type.startsWith('LeadAnswer')

/** Whether a reply is only a note of an action elsewhere, which is removed when it is withdrawn. */
export const isNoted = ({ data }: LeadEvent): boolean =>
  'channel' in data && (data.channel === 'whatsapp' || data.channel === 'call')

/** The lead before an event of its stream. */
const leadBefore = ({ version }: LeadEvent, events: readonly LeadEvent[]): Lead | undefined =>
  events.filter((other) => other.version < version).reduce<Lead | undefined>(evolveLead, undefined)

const changeBetween = (before: Lead, after: Lead): FollowUp =>
  pickFields(
    after as FollowUp,
    (['followUpStatus', 'ownerId'] as const).filter((field) => before[field] !== after[field]),
  )

/** The changes of follow-up by each event of a lead's stream, by the event's id. */
export const changesBy = (events: readonly LeadEvent[]): Map<string, FollowUp> => {
  let lead: Lead | undefined
  return new Map(
    events.map((event) => {
      const before = lead
      lead = evolveLead(lead, event)
      if (event.type === 'LeadFollowUpChanged') return [event.id, pickFields(event.data, fieldsOf(event.data))]
      return [event.id, before && lead && answerIdOf(event) ? changeBetween(before, lead) : {}]
    }),
  )
}

const share = (one: FollowUp, other: FollowUp) => fieldsOf(one).some((field) => other[field] !== undefined)

/**
 * The changes by others, since the version of the lead that the author saw, of the very fields that their change is
 * about. A field that already has the author's value leaves nothing to choose.
 */
export const changesMissed = (
  { lead, events }: { lead: Lead; events: LeadEvent[] },
  { change, staffId, seenVersion }: { change: FollowUp; staffId: string; seenVersion: number },
): { event: LeadEvent; change: FollowUp }[] => {
  const wanted = pickFields(
    change,
    fieldsOf(change).filter((field) => change[field] !== lead[field]),
  )
  const changes = changesBy(events)
  return events.flatMap((event) => {
    const changed = changes.get(event.id) ?? {}
    const isOwn = 'by' in event.data && event.data.by === staffId
    return event.version > seenVersion && !isOwn && share(changed, wanted) ? [{ event, change: changed }] : []
  })
}

/** The address and number of a lead's person, at first and after each correction, oldest first. */
export const contactsOver = (events: readonly LeadEvent[]): Pick<Lead, 'email' | 'phone'>[] => {
  let lead: Lead | undefined
  return events.flatMap((event) => {
    lead = evolveLead(lead, event)
    return lead ? [{ email: lead.email, phone: lead.phone }] : []
  })
}

/** The values before a correction of the fields that it touches. */
export const correctionBefore = (event: LeadCorrectedEvent, events: LeadEvent[]): Correction | undefined => {
  const before = leadBefore(event, events)
  return before && pickCorrected(before, correctedFields(event.personal))
}

/** Whether a way to reach the person would be left if a correction were undone. */
const isReachableWithout = (event: LeadCorrectedEvent, events: LeadEvent[]) => {
  const lead = events.reduce<Lead | undefined>(evolveLead, undefined)
  return lead !== undefined && isReachable({ ...lead, ...correctionBefore(event, events) })
}

/** The last later event that withdrew, restored, failed or delivered a reply. */
const lastAbout = (answerId: string, event: LeadEvent, events: readonly LeadEvent[]) =>
  events.findLast((other) => other.version > event.version && answerIdOf(other) === answerId)

/** The lead as an event would leave it. */
export const leadAfter = (
  events: readonly LeadEvent[],
  event: { type: LeadEvent['type']; data: object },
): Lead | undefined => {
  const lead = events.reduce<Lead | undefined>(evolveLead, undefined)
  return evolveLead(lead, { ...event, version: lead?.version, recordedAt: new Date() } as LeadEvent)
}

/** Whether the status, the owner or the answered time of a lead would change by an event. */
const wouldChange = (events: readonly LeadEvent[], event: Parameters<typeof leadAfter>[1]): boolean => {
  const lead = events.reduce<Lead | undefined>(evolveLead, undefined)
  const state = (of: Lead | undefined) => JSON.stringify([of?.followUpStatus, of?.ownerId, of?.answeredAt])
  return state(lead) !== state(leadAfter(events, event))
}

/** A recorded reply can be withdrawn at any time, for good; a sent or spoken one only if the lead changes by it. */
const isAnswerUndoable = (event: LeadAnsweredEvent, events: LeadEvent[]): boolean => {
  const isGiven = event.type === 'LeadAnswered'
  const last = lastAbout(event.data.answerId, event, events)
  if (isGiven ? last?.type === 'LeadAnswerWithdrawn' : last) return false
  if (isNoted(event)) return isGiven
  const undoing = undo(event, events, '')
  return undoing !== undefined && wouldChange(events, undoing)
}

/**
 * Whether an event of a lead's stream can be undone: a change, unless a later one touched the same fields; a note, and
 * the removal of one, until that has been done or the person has been erased; a correction, under the same conditions
 * and if a way to reach the person is left; a reply, and its outcomes, until the lead was changed since; and a flag by
 * staff, until the lead is released.
 */
export const isUndoable = (event: LeadEvent, events: LeadEvent[]): boolean => {
  const later = events.filter(({ version }) => version > event.version)
  switch (event.type) {
    case 'LeadFollowUpChanged': {
      if (later.some((other) => other.type === 'LeadFollowUpChanged' && share(event.data, other.data))) return false
      const changes = changesBy(events)
      return !later.some(({ id }) => share(event.data, changes.get(id) ?? {}))
    }
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
    case 'LeadAnswered':
    case 'LeadAnswerWithdrawn':
    case 'LeadAnswerFailed':
    case 'LeadAnswerRestored':
      return !holdsErasure(events) && isAnswerUndoable(event, events)
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

/** Whether an event has been undone, by one that has not been undone itself. */
export const isUndone = (event: LeadEvent, events: LeadEvent[]): boolean => {
  if (isAnswered(event)) {
    const last = lastAbout(event.data.answerId, event, events)
    return last?.type === (event.type === 'LeadAnswered' ? 'LeadAnswerWithdrawn' : 'LeadAnswerRestored')
  }
  const undoing = undoingOf(event, events)
  return undoing !== undefined && !isUndone(undoing, events)
}

const isUndoEvent = ({ type, data }: LeadEvent) =>
  (type !== 'LeadReleased' && 'undoes' in data && data.undoes !== undefined) ||
  type === 'LeadNoteRemoved' ||
  (type === 'LeadNoteAdded' && data.restores !== undefined)

/**
 * The events that are undone together with an event: for an undo all that its request undid, for a flag by staff the
 * change to lost that came with it.
 */
export const undoneTogether = (event: LeadEvent, events: LeadEvent[]): LeadEvent[] => {
  const ofRequest = events.filter(({ metadata }) => metadata.correlationId === event.metadata.correlationId)
  if (isUndoEvent(event)) return ofRequest.filter(isUndoEvent)
  const isLoss = ({ type, version }: LeadEvent) => type === 'LeadFollowUpChanged' && version === event.version - 1
  return event.type === 'LeadFlagged' ? [...ofRequest.filter(isLoss), event] : [event]
}

/** The event by which a staff member undoes an undoable one: it restores the former values. */
export const undo = (event: LeadEvent, events: LeadEvent[], staffId: string) => {
  switch (event.type) {
    case 'LeadFollowUpChanged': {
      const before = leadBefore(event, events)
      if (!before || before.followUpStatus === 'erased') return undefined
      const { followUpStatus } = before
      const fields = fieldsOf(event.data)
      const { answeredAt, answeredBy } = before
      const answered = fields.includes('followUpStatus') && { answeredAt, answeredBy }
      const data = { ...pickFields({ ...before, followUpStatus }, fields), ...answered, by: staffId, undoes: event.id }
      return leadFollowUpChanged(data)
    }
    case 'LeadNoteAdded': {
      const { answerId } = event.data
      return leadNoteRemoved({ by: staffId, noteId: event.id, ...(answerId && { answerId }) })
    }
    case 'LeadNoteRemoved': {
      const note = events.find(({ id }) => id === event.data.noteId)
      if (note?.type !== 'LeadNoteAdded' || !note.personal || !note.subjectId) return undefined
      const { subjectId, personal } = note
      const { answerId } = event.data
      return leadNoteAdded({ by: staffId, restores: event.id, ...(answerId && { answerId }) }, { subjectId, personal })
    }
    case 'LeadCorrected': {
      const personal = correctionBefore(event, events)
      if (!personal || !event.subjectId) return undefined
      return leadCorrected({ by: staffId, undoes: event.id }, { subjectId: event.subjectId, personal })
    }
    case 'LeadFlagged':
      return leadReleased({ by: staffId, emailId: null, undoes: event.id })
    case 'LeadAnswered': {
      const { answerId, channel } = event.data
      return leadAnswerWithdrawn({ answerId, channel, by: staffId })
    }
    case 'LeadAnswerWithdrawn':
    case 'LeadAnswerFailed':
      return leadAnswerRestored({ answerId: event.data.answerId, by: staffId })
    default:
      return undefined
  }
}
