import { randomUUID } from 'node:crypto'
import { emailKey } from '../../events/base/address.ts'
import { phoneKey } from '../../events/base/phone.ts'
import { messageStreams } from '../../events/chat/chat.ts'
import { readChat } from '../../events/chat/store/read-chat.ts'
import { isUnanswered } from '../../events/lead/email/alert.ts'
import { leadAnswered } from '../../events/lead/follow-up/answered.ts'
import type { Lead } from '../../events/lead/lead.ts'
import { chatAnswerForm } from '../../events/lead/reply/answer.ts'
import { answeredId } from '../../events/lead/store/answer-ids.ts'
import { readReplies, replyTo } from '../../events/lead/store/chat-replies.ts'
import { type KnownLead, readFamily } from '../../events/lead/store/family.ts'
import { familyIds } from '../../events/lead/store/family-ids.ts'
import { lead } from '../../events/lead/wire.ts'
import { deterministicUuid } from '../../events/log/event-id.ts'
import { RequestError } from '../http/errors.ts'
import { route } from '../http/route.ts'
import type { ApiNode } from '../node/node.ts'
import { colleagues } from '../staff/staff.ts'
import { assertAnswerable, readAnswerable } from './answer.ts'
import { changeLead } from './change.ts'
import { readLead } from './known-lead.ts'

/**
 * Whether a lead was made from a chat, or is the one into which that lead was merged.
 *
 * @throws if the chat has nothing to do with the lead: it became a lead of another person, or had their address or number
 */
const isMadeOf = async (node: ApiNode, { lead }: KnownLead, sessionId: string): Promise<boolean> => {
  const { chat } = await readChat(node.sql, sessionId)
  if (!chat || chat.progress.isErased) throw new RequestError('not_found', 'There is no chat with this id')
  const ids = await familyIds(node.sql, lead.id)
  if (chat.progress.leadId !== null && ids.includes(chat.progress.leadId)) return true
  const { visitorEmail, visitorPhone = '' } = chat.session
  const [email, phone] = [emailKey(visitorEmail), phoneKey(visitorPhone)]
  const members = [...(await readFamily(node.sql, ids)).values()]
  if (email !== null && members.some(({ own }) => emailKey(own.email) === email)) return false
  if (phone !== null && members.some(({ own }) => phoneKey(own.phone) === phone)) return false
  await readAnswerable(node, lead.id) // erased since it was read, the lead has no address left
  throw new RequestError('conflict', 'This chat belongs neither to this lead nor to its email address or phone number')
}

/** The reply in a chat that answers a lead. Throws if no reply counts. */
const readReply = async (node: ApiNode, { timestamp }: Lead, chat: { sessionId: string; isMade: boolean }) => {
  const replies = await readReplies(node.sql, [messageStreams.of(chat.sessionId)])
  const reply = replyTo(replies, { came: new Date(timestamp), isMade: chat.isMade })
  if (reply) return { by: reply.by, at: reply.at.toISOString() }
  throw new RequestError('conflict', 'No staff member has written in this chat since the lead came')
}

/**
 * Counts the first staff reply in a chat since a lead came as the reply to that lead, if it waits: for a chat that does
 * not answer the lead by itself. An unassigned lead goes to the author of the reply, or to the caller if the author has
 * left. Once per Idempotency-Key; `Event-Id` is the reply, by which it can be withdrawn.
 */
export const countChatAnswer = route('POST', '/api/leads/:id/chat-answers', {
  access: 'staff',
  summary: 'Counts the first staff message in a chat since the lead came as its answer',
  body: chatAnswerForm,
  answer: lead,
  status: 201,
  mayConflict: true,
  handler: async ({ node, c, params: { id: leadId }, body: { sessionId } }) => {
    const staffId = c.get('staff').id
    const known = await readAnswerable(node, leadId)
    const { id } = known.lead
    await node.admission.admit('lead_answers', { account: staffId })
    const isMade = await isMadeOf(node, known, sessionId)
    const key = c.req.header('idempotency-key') ?? randomUUID()
    const answerId = deterministicUuid('counted answer in chat', id, sessionId, staffId, key)
    const { by, at } = await readReply(node, known.lead, { sessionId, isMade })
    const ownerId = (await colleagues(node.sql)).some((colleague) => colleague.id === by) ? by : staffId
    await changeLead(node, id, (current) => {
      const { lead, events } = current
      if (events.some((event) => event.id === answeredId(answerId))) return undefined
      assertAnswerable(current)
      if (!isUnanswered(lead)) throw new RequestError('conflict', 'This lead no longer waits for an answer')
      const data = { answerId, channel: 'chat' as const, by, ownerId, at, sessionId, isCounted: true as const }
      return { id: answeredId(answerId), ...leadAnswered(data) }
    })
    const { lead } = await readLead(node, id)
    c.header('ETag', `"${lead.version}"`)
    c.header('Event-Id', answeredId(answerId))
    return lead
  },
})
