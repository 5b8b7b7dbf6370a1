import { leadFollowUpChanged } from '../../events/follow-up.ts'
import { holdsErasure, isUndoable, isUndone } from '../../events/follow-up-history.ts'
import { type Lead, type LeadEvent, leadStreams } from '../../events/lead.ts'
import { leadAnswerStreams } from '../../events/lead-answer.ts'
import { leadContactRemoved, leadContactStreams } from '../../events/lead-contact.ts'
import { answeredId, answerInChat, chatAnswerId, ownedId } from '../../events/log/answer-changes.ts'
import { deterministicUuid } from '../../events/log/event-id.ts'
import { handle } from '../../events/log/handle.ts'
import { type KnownLead, readFamily } from '../../events/log/lead-family.ts'
import { readEvent } from '../../events/log/read.ts'
import { familyIds } from '../../events/projections/family-ids.ts'
import { answersInChats, type GivenAnswer, readAnswers } from '../../events/projections/given-answers.ts'
import { RequestError } from '../errors.ts'
import type { ApiNode } from '../node.ts'
import { readAnswerable } from './answer.ts'
import { readLead, staysGuard } from './change.ts'

/**
 * An answer to one of some leads, by the event that its entry in a timeline names; undefined where the event is another
 * one. `channel` is the way of what was only noted, and can be taken back itself.
 */
const readAnswer = async ({ sql }: ApiNode, ids: string[], eventId: string) => {
  const event = await readEvent(sql, eventId)
  if (!event) return undefined
  const streams = [leadStreams, leadAnswerStreams, leadContactStreams]
  const ofId = streams.map((each) => each.idOf(event.stream)).find((id) => id !== undefined)
  if (ofId === undefined || !ids.includes(ofId)) return undefined
  switch (event.type) {
    case 'LeadContacted':
      return { ofId, answerId: eventId, channel: event.data.channel }
    case 'LeadCallUnanswered':
      return { ofId, answerId: eventId, channel: 'call' as const }
    case 'LeadEmailWritten':
      return { ofId, answerId: eventId }
    case 'LeadFollowUpChanged': {
      const answerId = event.data.undoes ? undefined : answerInChat(ofId, event.data)
      return answerId === undefined ? undefined : { ofId, answerId }
    }
    default:
      return undefined
  }
}

const NOT_ANSWERED = { followUpStatus: 'new' as const, answeredAt: null }

/**
 * The change of a lead that an answer made, or what it became when another answer took its place, as far as it can be
 * undone.
 */
const changeInForce = (events: LeadEvent[], id: string) => {
  let change = events.find((event) => event.id === id)
  while (change?.type === 'LeadFollowUpChanged') {
    const { id: changeId, data } = change
    if (data.followUpStatus === 'new' || data.ownerId === null) return undefined
    const next = events.find((event) => event.type === 'LeadFollowUpChanged' && event.data.undoes === changeId)
    if (!next) return isUndoable(change, events) ? change : undefined
    change = next
  }
  return undefined
}

/** The changes that give back what answers made of a lead; the answer that remains takes their place. */
const changesBack = (
  events: LeadEvent[],
  { first, removed, staffId: by }: { first: GivenAnswer | undefined; removed: string[]; staffId: string },
) => {
  const status = first ? { followUpStatus: 'contacted' as const, answeredAt: first.at } : NOT_ANSWERED
  const ownerId = first?.by ?? null
  return removed.flatMap((answerId) => {
    const answered = changeInForce(events, answeredId(answerId))
    const owned = changeInForce(events, ownedId(answerId))
    const isAnsweredSo = first !== undefined && answered?.data.answeredAt === first.at
    return [
      ...(answered && !isAnsweredSo ? [leadFollowUpChanged({ ...status, by, undoes: answered.id })] : []),
      ...(owned && owned.data.ownerId !== ownerId ? [leadFollowUpChanged({ ownerId, by, undoes: owned.id })] : []),
    ]
  })
}

/** The notes of a lead that were taken back: one may be of an email that staff wrote in their own program. */
const removedNotes = (events: LeadEvent[]) =>
  events.flatMap((event) => {
    if (event.type !== 'LeadNoteAdded') return []
    return isUndone(event, events) ? [event.id] : []
  })

/** Whether a change that an answer made was taken back. */
const isChangeUndone = (changeId: string, events: LeadEvent[]) => {
  const change = events.find(({ id }) => id === changeId)
  return change !== undefined && isUndone(change, events)
}

/** The emails and the chats, which have happened for good, of which something was taken back. */
const undoneAnswers = (leadId: string, events: LeadEvent[], given: readonly { id: string }[]) => {
  const chats = events.flatMap(({ type, data }) =>
    type === 'LeadFollowUpChanged' ? (answerInChat(leadId, data) ?? []) : [],
  )
  const hasFailed = (id: string) =>
    events.some(({ type, data }) => type === 'LeadFollowUpChanged' && data.failedEmailId === id)
  // an email that came back has given the lead back by itself
  return [...given.map(({ id }) => id).filter((id) => !hasFailed(id)), ...chats].filter((id) =>
    [answeredId(id), ownedId(id)].some((changeId) => isChangeUndone(changeId, events)),
  )
}

/** What would count by itself in the chats of which some answers that staff counted were taken back. */
const answersBeside = (leadId: string, events: LeadEvent[], counted: string[]) =>
  events.flatMap(({ type, data }) => {
    if (type !== 'LeadFollowUpChanged' || data.inChat === undefined || data.answerId === undefined) return []
    return counted.includes(data.answerId) ? [chatAnswerId(leadId, data.inChat)] : []
  })

/** Whether a note is of an answer that changed the lead. */
export const isOfAnswer = (noteId: string, events: LeadEvent[]) =>
  events.some(({ id }) => id === answeredId(noteId) || id === ownedId(noteId))

/**
 * Takes back what answers that were taken back made of the lead: its status, and whose it is. `others` are those of them
 * of which the lead's own streams tell nothing.
 */
export const giveBack = (
  node: ApiNode,
  leadId: string,
  { staffId, others = [] }: { staffId: string; others?: string[] },
) =>
  handle(node.log, {
    read: async () => {
      const answers = await readAnswers(node.sql, await familyIds(node.sql, leadId))
      const known = await readAnswerable(node, leadId)
      const guards = [staysGuard(known), ...answers.guards]
      return { ...known, answers, stream: leadStreams.of(known.lead.id), version: known.lead.version, guards }
    },
    decide: ({ lead, events, answers: { emails, contacts, failed, removed, said } }) => {
      const gone = [...removed, ...others]
      const inChats = answersInChats(said, { lead, events })
      const all = [...new Set([...gone, ...removedNotes(events), ...undoneAnswers(lead.id, events, emails)])]
      const left = [...gone, ...answersBeside(lead.id, events, all)]
      const remaining = [
        ...contacts,
        ...[...emails, ...inChats].filter(({ id }) => !isChangeUndone(answeredId(id), events)),
      ].filter(({ id }) => !left.includes(id) && !failed.has(id))
      const [first] = remaining.toSorted((one, other) => one.position - other.position)
      const [change, ...more] = changesBack(events, { first, removed: all, staffId })
      return change && [change, ...more]
    },
    readsGuards: true,
  })

const isChangedBy = ({ events }: KnownLead, answerId: string) =>
  [answeredId(answerId), ownedId(answerId)].some((id) => changeInForce(events, id) !== undefined)

/**
 * The leads that an answer changed. It may be noted about another one: the one whose number they showed while they were
 * merged.
 */
const changedLeads = async ({ sql }: ApiNode, answerId: string): Promise<string[]> => {
  const changes = await Promise.all([answeredId(answerId), ownedId(answerId)].map((id) => readEvent(sql, id)))
  return changes.flatMap((change) => (change && leadStreams.idOf(change.stream)) ?? [])
}

/**
 * The leads apart from a family that an answer changed, as they are now. Throws where it changed a lead that was merged
 * into another one since: no change of that lead is shown.
 */
const changedElsewhere = async (node: ApiNode, ids: string[], answerId: string): Promise<string[]> => {
  const members = await readFamily(node.sql, [...new Set([...ids, ...(await changedLeads(node, answerId))])])
  const changed = [...members.values()].filter((member) => isChangedBy(member, answerId))
  if (changed.some(({ merge }) => merge)) {
    throw new RequestError('conflict', 'This was noted before the leads were merged: unmerge them, then undo it')
  }
  return changed.flatMap(({ own, events }) => {
    return ids.includes(own.id) || holdsErasure(events) ? [] : [own.id]
  })
}

type Contact = {
  leadId: string
  ids: string[]
  ofId: string
  answerId: string
  channel: 'whatsapp' | 'call'
  staffId: string
}

/** Throws where nothing that an answer changed is still as it was, unless it was taken back already. */
const assertInForce = (known: KnownLead, { answerId, elsewhere }: { answerId: string; elsewhere: string[] }) => {
  if (elsewhere.length > 0 || isChangedBy(known, answerId)) return
  const { events } = known
  const ids = [answeredId(answerId), ownedId(answerId)]
  const changes = events.filter(({ id }) => ids.includes(id))
  if (changes.length === 0) throw new RequestError('invalid', 'This answer made no change that can be undone')
  if (changes.some((change) => !isUndone(change, events))) {
    throw new RequestError('conflict', 'It was changed again since then: undo the later change first')
  }
}

const removeContact = (node: ApiNode, contact: Contact) => {
  const { leadId, ids, ofId, answerId, channel, staffId } = contact
  return handle(node.log, {
    read: async () => {
      const known = await readAnswerable(node, leadId)
      await changedElsewhere(node, ids, answerId)
      return { stream: leadContactStreams.of(ofId), version: 'any' as const, guards: [staysGuard(known)] }
    },
    decide: () => ({
      id: deterministicUuid('contact removed', answerId),
      ...leadContactRemoved({ leadId: ofId, contactId: answerId, channel, by: staffId }),
    }),
    isOnce: true,
    readsGuards: true,
  })
}

/**
 * Takes back what an answer changed in the lead, as far as it is still so. A call or a message that was noted by mistake
 * goes with it; an email, or what was said in a chat, stays. If another answer remains, the lead counts as answered by
 * that one. Returns the lead, or undefined if the event is no answer. To take it back twice changes nothing.
 */
export const takeBackAnswer = async (
  node: ApiNode,
  { leadId, eventId, staffId }: { leadId: string; eventId: string; staffId: string },
): Promise<Lead | undefined> => {
  const ids = await familyIds(node.sql, leadId)
  const answer = await readAnswer(node, ids, eventId)
  if (!answer) return undefined
  const { ofId, answerId, channel } = answer
  if (channel) await removeContact(node, { leadId, ids, ofId, answerId, channel, staffId })
  const elsewhere = await changedElsewhere(node, ids, answerId)
  if (!channel) assertInForce(await readAnswerable(node, leadId), { answerId, elsewhere })
  for (const id of [leadId, ...elsewhere]) await giveBack(node, id, { staffId, others: [answerId] })
  return (await readLead(node, leadId)).lead
}
