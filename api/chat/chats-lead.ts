import { chatDeskStream } from '../../events/chat-desk.ts'
import { type Lead, leadStream, type SubmittedLeadForm, submitLead } from '../../events/lead.ts'
import type { AppendRequest } from '../../events/log/append.ts'
import { LogError } from '../../events/log/errors.ts'
import { idFromKey } from '../../events/log/event-id.ts'
import { RequestError } from '../errors.ts'
import { readLead } from '../leads/change.ts'
import type { ApiNode } from '../node.ts'

/** Appends what may be stored already, by an earlier try or by somebody else who had other things to say: that stays. */
export const appendOnce = async ({ log }: ApiNode, request: AppendRequest): Promise<void> => {
  try {
    await log.append(request)
  } catch (error) {
    if (!(error instanceof LogError) || error.code !== 'event_id_reused') throw error
  }
}

/** Whoever makes a lead of a chat that staff have answered says by it that nobody waits for a reply. */
const contacted = (leadId: string, staffId: string) => ({
  id: idFromKey('answered in chat', leadId),
  type: 'LeadFollowUpChanged' as const,
  data: { followUpStatus: 'contacted' as const, by: staffId },
  subjectId: null,
  personal: null,
})

/**
 * Makes a lead of a chat. A chat becomes one lead: whoever asks again gets the first. The lead's id comes from the
 * session's, so that a try which died between the two events is completed by the next. Refused once that lead is
 * erased. It starts as contacted where staff have answered in the chat.
 */
export const makeLead = async (
  node: ApiNode,
  {
    sessionId,
    isAnswered,
    form,
    staffId,
  }: {
    sessionId: string
    isAnswered: boolean
    form: SubmittedLeadForm
    staffId: string
  },
): Promise<Lead> => {
  const leadId = idFromKey('lead of chat', sessionId)
  const submitted = { id: idFromKey('submission', leadId), ...submitLead({ leadId, form }) }
  await appendOnce(node, {
    stream: leadStream(leadId),
    expectedVersion: 'any',
    events: isAnswered ? [submitted, contacted(leadId, staffId)] : [submitted],
  })
  const became = { type: 'ChatBecameLead' as const, data: { leadId, by: staffId }, subjectId: null, personal: null }
  await appendOnce(node, {
    stream: chatDeskStream(sessionId),
    expectedVersion: 'any',
    events: [{ id: idFromKey('chat became lead', sessionId), ...became }],
  })
  const { lead, events } = await readLead(node, leadId)
  if (!events.some(({ type }) => type === 'LeadErased')) return lead
  throw new RequestError('conflict', 'The lead of this chat has been erased with its person: it cannot be made again')
}
