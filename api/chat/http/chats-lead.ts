import * as v from 'valibot'
import { chatActivityStreams, chatBecameLead } from '../../../events/chat/activity.ts'
import { leadAnswered } from '../../../events/lead/answered.ts'
import { type EnteredPerson, enterLead } from '../../../events/lead/entry.ts'
import { leadFollowUpChanged } from '../../../events/lead/follow-up.ts'
import { holdsErasure } from '../../../events/lead/follow-up-history.ts'
import { leadForm } from '../../../events/lead/form.ts'
import { type Lead, type LeadEvent, leadStreams, submitLead } from '../../../events/lead/lead.ts'
import { answeredId, chatAnswerId } from '../../../events/lead/store/answer-ids.ts'
import { deterministicUuid } from '../../../events/log/event-id.ts'
import { type Decision, handle } from '../../../events/log/handle.ts'
import { RequestError } from '../../http/errors.ts'
import { readLead } from '../../leads/change.ts'
import type { ApiNode } from '../../node/node.ts'

/** Staff who make a lead of a chat that has been answered say by it that nobody waits for a reply. */
const answered = (leadId: string, { sessionId, staffId: by }: { sessionId: string; staffId: string }) => {
  const answerId = chatAnswerId(leadId, sessionId)
  return { id: answeredId(answerId), ...leadAnswered({ answerId, channel: 'chat', by, sessionId }) }
}

/** Who makes a lead of a chat takes care of it. */
const owned = (leadId: string, staffId: string) => ({
  id: deterministicUuid('owned by maker', leadId),
  ...leadFollowUpChanged({ ownerId: staffId, by: staffId }),
})

type Making = { sessionId: string; isAnswered: boolean; form: EnteredPerson; staffId: string }

/** A form that a visitor could have sent is stored as one; what a visitor has to tell and staff do not know is left out. */
const eventsOf = (leadId: string, { sessionId, isAnswered, form, staffId }: Making): Decision<LeadEvent> => {
  const id = deterministicUuid('submission', leadId)
  const whole = v.safeParse(leadForm, form)
  if (!whole.success) {
    const entered = enterLead(leadId, form, { by: staffId, followUpStatus: isAnswered ? 'contacted' : 'new' })
    return [{ id, ...entered }, owned(leadId, staffId)]
  }
  const submitted = { id, ...submitLead({ leadId, form: whole.output }) }
  return [submitted, owned(leadId, staffId), ...(isAnswered ? [answered(leadId, { sessionId, staffId })] : [])]
}

/**
 * Makes a lead of a chat. A chat becomes one lead: those who ask again get the first. The lead's id comes from the
 * session's, so that a try which died between the two commands is completed by the next. Refused once that lead is
 * erased. It starts as contacted where staff have answered in the chat, and is its maker's.
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
