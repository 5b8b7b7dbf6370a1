import * as v from 'valibot'
import { givenId } from '../../events/base/text.ts'
import { answerIdOf } from '../../events/lead/follow-up/answered.ts'
import { isUndoable, isUndone, undo, undoneTogether } from '../../events/lead/follow-up-history.ts'
import { type LeadEvent, leadStreams } from '../../events/lead/lead.ts'
import { leadAnswerStreams } from '../../events/lead/reply/answer.ts'
import { leadContactRemoved, leadContactStreams } from '../../events/lead/reply/contact.ts'
import { answeredId } from '../../events/lead/store/answer-ids.ts'
import { orAnsweredByReply, readRepliesToLeads } from '../../events/lead/store/chat-replies.ts'
import { familyIds } from '../../events/lead/store/family-ids.ts'
import { lead } from '../../events/lead/wire.ts'
import { deterministicUuid } from '../../events/log/event-id.ts'
import { type Decision, handle } from '../../events/log/handle.ts'
import { readEvent } from '../../events/log/read.ts'
import { RequestError } from '../http/errors.ts'
import { route } from '../http/route.ts'
import type { ApiNode } from '../node/node.ts'
import { assertAnswerable, readAnswerable } from './answer.ts'
import { assertStays, staysGuard } from './change.ts'
import { readLead } from './known-lead.ts'
import { unmergeLead } from './merge.ts'

/** The events that undo one event and those that belong to it; undefined if that is done already. */
export const undoingOf = (event: LeadEvent, events: LeadEvent[], staffId: string) => {
  const parts = undoneTogether(event, events)
  if (parts.every((part) => isUndone(part, events))) return undefined
  const [first, ...others] = parts.flatMap((part) => {
    const undoing = undo(part, events, staffId)
    return undoing ? [{ undoing, isOpen: isUndoable(part, events) && !isUndone(part, events) }] : []
  })
  if (!first) throw new RequestError('invalid', 'Only changes by staff can be undone')
  const [change, ...more] = [first, ...others].flatMap(({ undoing, isOpen }) => (isOpen ? [undoing] : []))
  if (!change) throw new RequestError('conflict', 'It was changed again since then: undo the later change first')
  return [change, ...more] satisfies Decision<LeadEvent>
}

/** The lead of an unanswered call, by the call's event; undefined if the event is another one, or of another person. */
const readUnansweredCall = async ({ sql }: ApiNode, ids: string[], eventId: string) => {
  const event = await readEvent(sql, eventId)
  const ofId = event?.type === 'LeadCallUnanswered' ? leadContactStreams.idOf(event.stream) : undefined
  return ofId !== undefined && ids.includes(ofId) ? ofId : undefined
}

const removeCall = async (node: ApiNode, call: { leadId: string; ofId: string; eventId: string; staffId: string }) => {
  const { leadId, ofId, eventId, staffId } = call
  const known = await readAnswerable(node, leadId)
  await handle(node.log, {
    read: () => ({ stream: leadContactStreams.of(ofId), version: 'any' as const, guards: [staysGuard(known)] }),
    decide: () => ({
      id: deterministicUuid('contact removed', eventId),
      ...leadContactRemoved({ leadId: ofId, contactId: eventId, by: staffId }),
    }),
    isOnce: true,
  })
}

/**
 * The lead that an event changed, and the event in its stream. An email or a call is in another stream, and may count
 * for another lead: the one that showed the address or number while they were merged.
 */
const readChanged = async ({ sql }: ApiNode, { leadId, ids, eventId }: Undoing & { ids: string[] }) => {
  const event = await readEvent(sql, eventId)
  const ofId = event && leadAnswerStreams.idOf(event.stream)
  if (ofId === undefined || !ids.includes(ofId)) return { leadId, eventId }
  const answered = await readEvent(sql, answeredId(eventId))
  return answered ? { leadId: leadStreams.idOf(answered.stream) ?? leadId, eventId: answered.id } : { leadId, eventId }
}

/** A merged lead changes only through the remaining one, except for what was noted before the merge. */
const assertUnmerged = (known: Parameters<typeof assertStays>[0], isElsewhere: boolean) => {
  if (!isElsewhere || !known.lead.mergedInto) return assertStays(known)
  throw new RequestError('conflict', 'This was logged before the leads were merged: unmerge them, then undo it')
}

type Undoing = { leadId: string; eventId: string }

/** Undoes an event of a lead's stream. A reply in a chat may answer the lead once another reply is withdrawn. */
const undoChange = (node: ApiNode, undoing: Undoing & { ids: string[] }, staffId: string) =>
  handle(node.log, {
    read: async () => {
      const { leadId, eventId } = await readChanged(node, undoing)
      const { replies, guards } = await readRepliesToLeads(node.sql, await familyIds(node.sql, leadId))
      const known = await readLead(node, leadId)
      assertUnmerged(known, leadId !== undoing.leadId)
      const stream = leadStreams.of(known.lead.id)
      return { ...known, eventId, replies, stream, version: known.lead.version, guards: [staysGuard(known), ...guards] }
    },
    decide: ({ eventId, replies, ...known }) => {
      const event = known.events.find(({ id }) => id === eventId)
      if (!event) throw new RequestError('not_found', 'This lead has no such event')
      if (event.type === 'LeadAnswered') assertAnswerable(known)
      const changes = undoingOf(event, known.events, staffId)
      const [change, ...more] = changes ?? []
      if (!change || more.length > 0 || answerIdOf(change) === undefined) return changes
      return orAnsweredByReply(known, change, replies)
    },
    readsGuards: true,
  })

/**
 * Undoes a change, a note, the removal of a note or a merge, or withdraws a reply. An email stays sent, and a message
 * stays in its chat: they only no longer count. Nothing changes if it was undone already.
 */
export const undoEvent = route('POST', '/api/leads/:id/undo', {
  access: 'staff',
  summary: 'Undoes a change, a note, an answer, or a merge',
  body: v.strictObject({ eventId: givenId() }),
  answer: lead,
  mayConflict: true,
  handler: async ({ node, c, params: { id: leadId }, body: { eventId } }) => {
    const staffId = c.get('staff').id
    const merged = await unmergeLead(node, { leadId, eventId, staffId })
    if (merged) return merged
    const ids = await familyIds(node.sql, leadId)
    const ofId = await readUnansweredCall(node, ids, eventId)
    if (ofId !== undefined) await removeCall(node, { leadId, ofId, eventId, staffId })
    else await undoChange(node, { leadId, ids, eventId }, staffId)
    const { lead } = await readLead(node, leadId)
    c.header('ETag', `"${lead.version}"`)
    return lead
  },
})
