import * as v from 'valibot'
import { chatActivityStreams, chatBecameLead } from '../../../events/chat/activity.ts'
import { type EnteredPerson, enterLead } from '../../../events/lead/entry.ts'
import { leadAnswered } from '../../../events/lead/follow-up/answered.ts'
import { leadFollowUpChanged } from '../../../events/lead/follow-up/follow-up.ts'
import { leadForm } from '../../../events/lead/form/form.ts'
import { holdsErasure, type Lead, type LeadEvent, leadStreams, submitLead } from '../../../events/lead/lead.ts'
import { answeredId, chatAnswerId } from '../../../events/lead/store/answer-ids.ts'
import { deterministicUuid } from '../../../events/log/event-id.ts'
import { type Decision, handle } from '../../../events/log/handle.ts'
import { RequestError } from '../../http/errors.ts'
import { readLead } from '../../leads/known-lead.ts'
import type { ApiNode } from '../../node/node.ts'

/** Staff who make a lead of a chat with replies confirm that the visitor is not waiting for one. */
const answered = (leadId: string, { sessionId, staffId: by }: { sessionId: string; staffId: string }) => {
  const answerId = chatAnswerId(leadId, sessionId)
  return { id: answeredId(answerId), ...leadAnswered({ answerId, channel: 'chat', by, sessionId }) }
}

/** The creator of the lead becomes its owner. */
const ownedByCreator = (leadId: string, staffId: string) => ({
  id: deterministicUuid('owned by maker', leadId),
  ...leadFollowUpChanged({ ownerId: staffId, by: staffId }),
})

type Making = { sessionId: string; isAnswered: boolean; form: EnteredPerson; staffId: string }

/** A form that a visitor could have sent is stored as one; fields that only the visitor could fill in are left out. */
const eventsOf = (leadId: string, { sessionId, isAnswered, form, staffId }: Making): Decision<LeadEvent> => {
  const id = deterministicUuid('submission', leadId)
  const whole = v.safeParse(leadForm, form)
  if (!whole.success) {
    const entered = enterLead(leadId, form, { by: staffId, followUpStatus: isAnswered ? 'contacted' : 'new' })
    return [{ id, ...entered }, ownedByCreator(leadId, staffId)]
  }
  const submitted = { id, ...submitLead({ leadId, form: whole.output }) }
  return [submitted, ownedByCreator(leadId, staffId), ...(isAnswered ? [answered(leadId, { sessionId, staffId })] : [])]
}

/**
 * Makes a lead of a chat. A chat becomes one lead: a second request returns the first lead. The lead's id is derived
 * from the session's, so the next attempt completes one that died between the two commands. Refused once that lead is
 * erased. The lead starts as contacted if staff have replied in the chat, and belongs to its creator.
 */
export const makeLead = async (node: ApiNode, making: Making): Promise<Lead> => {
  const { sessionId, staffId } = making
  const leadId = deterministicUuid('lead of chat', sessionId)
  const begins = eventsOf(leadId, making)
  await handle(node.log, {
    read: () => ({ stream: leadStreams.of(leadId), version: 'any' }),
    decide: () => begins,
    isOnce: true,
  })
  await handle(node.log, {
    read: () => ({ stream: chatActivityStreams.of(sessionId), version: 'any' }),
    decide: () => ({
      id: deterministicUuid('chat became lead', sessionId),
      ...chatBecameLead({ leadId, by: staffId }),
    }),
    isOnce: true,
  })
  const { lead, events } = await readLead(node, leadId)
  if (!holdsErasure(events)) return lead
  throw new RequestError('conflict', 'The lead of this chat was erased with its person: it cannot be created again')
}
