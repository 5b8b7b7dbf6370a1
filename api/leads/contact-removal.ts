import { leadFollowUpChanged } from '../../events/follow-up.ts'
import { isUndoable, isUndone } from '../../events/follow-up-history.ts'
import { type Lead, type LeadEvent, leadStreams } from '../../events/lead.ts'
import { leadAnswerStreams } from '../../events/lead-answer.ts'
import { leadContactRemoved, leadContactStreams } from '../../events/lead-contact.ts'
import { deterministicUuid } from '../../events/log/event-id.ts'
import { handle } from '../../events/log/handle.ts'
import { type KnownLead, readFamily } from '../../events/log/lead-family.ts'
import { readEvent, readStreams, readVersions } from '../../events/log/read.ts'
import { RequestError } from '../errors.ts'
import type { ApiNode } from '../node.ts'
import { answeredId, ownedId, readAnswerable } from './answer.ts'
import { readLead, staysGuard } from './change.ts'
import { familyIds } from './family.ts'

/** What was noted about a lead, or about one that was merged into it; undefined where the event is another one. */
const readContact = async (node: ApiNode, ids: string[], eventId: string) => {
  const event = await readEvent(node.sql, eventId)
  if (event?.type !== 'LeadContacted' && event?.type !== 'LeadCallUnanswered') return undefined
  const ofId = leadAnswerStreams.idOf(event.stream) ?? leadContactStreams.idOf(event.stream) ?? ''
  if (!ids.includes(ofId)) return undefined
  return { ofId, channel: event.type === 'LeadContacted' ? event.data.channel : ('call' as const) }
}

type Answer = { by: string; at: string }

const NOT_ANSWERED = { followUpStatus: 'new' as const, answeredAt: null }

/**
 * The first answer to these leads that was not taken back, and what was. `guards` fail if an answer is stored or taken
 * back after this was read.
 */
const readAnswers = async ({ sql }: ApiNode, ids: string[]) => {
  const answers = ids.map(leadAnswerStreams.of)
  const contacts = ids.map(leadContactStreams.of)
  const versions = await readVersions(sql, [...answers, ...contacts])
  const [given, removals] = await Promise.all([
    readStreams(sql, answers, { types: ['LeadEmailWritten', 'LeadContacted'] }),
    readStreams(sql, contacts, { types: ['LeadContactRemoved'] }),
  ])
  const removed = removals.map(({ data }) => data.contactId)
  const first = given.find(({ id }) => !removed.includes(id))
  return {
    first: first && { by: first.data.by, at: first.recordedAt.toISOString() },
    removed,
    guards: [...versions].map(([stream, version]) => ({ stream, version })),
  }
}

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
  { first, removed, staffId: by }: { first: Answer | undefined; removed: string[]; staffId: string },
) => {
  const status = first ? { followUpStatus: 'contacted' as const, answeredAt: first.at } : NOT_ANSWERED
  const ownerId = first?.by ?? null
  return removed.flatMap((contactId) => {
    const answered = changeInForce(events, answeredId(contactId))
    const owned = changeInForce(events, ownedId(contactId))
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

/** Whether a note is of an answer that changed the lead. */
export const isOfAnswer = (noteId: string, events: LeadEvent[]) =>
  events.some(({ id }) => id === answeredId(noteId) || id === ownedId(noteId))

/**
 * Takes back what answers that were taken back made of the lead: its status, and whose it is. `elsewhere` are those of them
 * that are noted about another lead.
 */
export const giveBack = (
  node: ApiNode,
  leadId: string,
  { staffId, elsewhere = [] }: { staffId: string; elsewhere?: string[] },
) =>
  handle(node.log, {
    read: async () => {
      const answers = await readAnswers(node, await familyIds(node, leadId))
      const known = await readAnswerable(node, leadId)
      const guards = [staysGuard(known), ...answers.guards]
      return { ...known, answers, stream: leadStreams.of(known.lead.id), version: known.lead.version, guards }
    },
    decide: ({ events, answers: { first, removed } }) => {
      const all = [...removed, ...removedNotes(events), ...elsewhere]
      const [change, ...others] = changesBack(events, { first, removed: all, staffId })
      return change && [change, ...others]
    },
    readsGuards: true,
  })

const isChangedBy = ({ events }: KnownLead, contactId: string) =>
  [answeredId(contactId), ownedId(contactId)].some((id) => changeInForce(events, id) !== undefined)

/**
 * The leads that a contact changed. It may be noted about another one: the one whose number they showed while they were
 * merged.
 */
const changedLeads = async ({ sql }: ApiNode, contactId: string): Promise<string[]> => {
  const changes = await Promise.all([answeredId(contactId), ownedId(contactId)].map((id) => readEvent(sql, id)))
  return changes.flatMap((change) => (change && leadStreams.idOf(change.stream)) ?? [])
}

/**
 * The leads apart from a family that a contact changed, as they are now. Throws where it changed a lead that was merged
 * into another one since: no change of that lead is shown.
 */
const changedElsewhere = async (node: ApiNode, ids: string[], contactId: string): Promise<string[]> => {
  const members = await readFamily(node.sql, [...new Set([...ids, ...(await changedLeads(node, contactId))])])
  const changed = [...members.values()].filter((member) => isChangedBy(member, contactId))
  if (changed.some(({ merge }) => merge)) {
    throw new RequestError('conflict', 'This was noted before the leads were merged: unmerge them, then undo it')
  }
  return changed.flatMap(({ own, events }) => {
    const isErased = events.some(({ type }) => type === 'LeadErased')
    return ids.includes(own.id) || isErased ? [] : [own.id]
  })
}

/**
 * Takes back a call or a message that was noted by mistake, and what it changed in the lead. If another answer remains,
 * the lead counts as answered by that one. Returns the lead, or undefined if the event is neither a call nor a message.
 * To take it back twice changes nothing.
 */
export const removeContact = async (
  node: ApiNode,
  { leadId, eventId, staffId }: { leadId: string; eventId: string; staffId: string },
): Promise<Lead | undefined> => {
  const ids = await familyIds(node, leadId)
  const contact = await readContact(node, ids, eventId)
  if (!contact) return undefined
  const { ofId, channel } = contact
  await handle(node.log, {
    read: async () => {
      const known = await readAnswerable(node, leadId)
      await changedElsewhere(node, ids, eventId)
      return { stream: leadContactStreams.of(ofId), version: 'any' as const, guards: [staysGuard(known)] }
    },
    decide: () => ({
      id: deterministicUuid('contact removed', eventId),
      ...leadContactRemoved({ leadId: ofId, contactId: eventId, channel, by: staffId }),
    }),
    isOnce: true,
    readsGuards: true,
  })
  await giveBack(node, leadId, { staffId })
  for (const id of await changedElsewhere(node, ids, eventId)) {
    await giveBack(node, id, { staffId, elsewhere: [eventId] })
  }
  return (await readLead(node, leadId)).lead
}
