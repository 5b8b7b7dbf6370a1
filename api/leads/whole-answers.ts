import { type FollowUp, fieldsOf, pickFields } from '../../events/follow-up.ts'
import { answeredId, answerInChat, ownedId } from '../../events/log/answer-changes.ts'
import type { Metadata } from '../../events/metadata.ts'
import type { TimelineEntry } from '../../events/timeline.ts'

type Kind = TimelineEntry['kind']

/** The entries of answers. An email in one's own program is a note. */
const ANSWERS: readonly Kind[] = ['answer_email', 'whatsapp', 'call', 'note', 'chat_answer']

/** Answers that have happened for good: only what they changed is taken back. */
const LASTING: readonly Kind[] = ['answer_email', 'chat_answer']

/** What an undo leaves, the one that its entry is told as first. */
const TAKINGS_BACK: readonly Kind[] = ['contact_removed', 'note_removed', 'note', 'follow_up']

const changeOf = ({ data }: TimelineEntry) => pickFields(data, fieldsOf(data as FollowUp))

const partIdsOf = ({ id, kind, leadId, data }: TimelineEntry) => {
  if (!ANSWERS.includes(kind)) return []
  const answerId = (kind === 'chat_answer' && answerInChat(leadId ?? '', data)) || id
  return [answeredId(answerId), ownedId(answerId)]
}

const withChanges = (entry: TimelineEntry, parts: TimelineEntry[]): TimelineEntry => {
  const isLasting = LASTING.includes(entry.kind)
  const isUndone = entry.kind === 'chat_answer' ? parts.every((part) => part.isUndone) : entry.isUndone
  const undone = parts.filter((part) => part.isUndone).flatMap((part) => fieldsOf(changeOf(part)))
  return {
    ...entry,
    data: Object.assign({}, ...parts.map(changeOf), entry.data, undone.length > 0 && !isUndone && { undone }),
    isUndoable: isLasting ? parts.some(({ isUndoable }) => isUndoable) : entry.isUndoable,
    isUndone,
  }
}

/** One answer is one entry, with what it changed in the lead. */
const wholeAnswers = (entries: TimelineEntry[]): TimelineEntry[] => {
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  const wholes = new Map<string, TimelineEntry>()
  const absorbed = new Set<string>()
  for (const entry of entries) {
    const parts = absorbed.has(entry.id) ? [] : partIdsOf(entry).flatMap((id) => byId.get(id) ?? [])
    if (parts.length === 0) continue
    for (const { id } of parts) if (id !== entry.id) absorbed.add(id)
    wholes.set(entry.id, withChanges(entry, parts))
  }
  return entries.flatMap((entry) => (absorbed.has(entry.id) ? [] : [wholes.get(entry.id) ?? entry]))
}

const takesBack = ({ kind, data }: TimelineEntry) =>
  kind === 'contact_removed' ||
  kind === 'note_removed' ||
  (kind === 'note' && data.restores !== undefined) ||
  (kind === 'follow_up' && data.undoes !== undefined)

const wholeUndo = (parts: TimelineEntry[]): TimelineEntry[] => {
  const [first, ...others] = parts.toSorted((a, b) => TAKINGS_BACK.indexOf(a.kind) - TAKINGS_BACK.indexOf(b.kind))
  if (!first || others.length === 0) return parts
  return [
    {
      ...first,
      data: Object.assign({}, ...others.map(changeOf), first.data),
      isUndoable: first.kind !== 'contact_removed' && parts.some(({ isUndoable }) => isUndoable),
      isUndone: parts.every(({ isUndone }) => isUndone),
    },
  ]
}

/**
 * The entries of a timeline with each answer as one, which tells of all that it changed and is taken back as one; and
 * what one undo took back as one too. `events` are those that the entries tell of.
 */
export const withWholeAnswers = (
  entries: TimelineEntry[],
  events: readonly { id: string; metadata: Metadata }[],
): TimelineEntry[] => {
  const requests = new Map(events.map(({ id, metadata }) => [id, metadata.correlationId]))
  const [undos, others] = [entries.filter(takesBack), entries.filter((entry) => !takesBack(entry))]
  const byRequest = Map.groupBy(undos, ({ id }) => requests.get(id) ?? id)
  return [...wholeAnswers(others), ...[...byRequest.values()].flatMap(wholeUndo)]
}
