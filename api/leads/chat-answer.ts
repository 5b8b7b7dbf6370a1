import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import { messageStreams } from '../../events/chat.ts'
import type { Lead } from '../../events/lead.ts'
import { isUnanswered } from '../../events/lead-alert.ts'
import { chatAnswerForm } from '../../events/lead-answer.ts'
import { answeredId, changesByAnswer } from '../../events/log/answer-changes.ts'
import { deterministicUuid } from '../../events/log/event-id.ts'
import { type KnownLead, readFamily } from '../../events/log/lead-family.ts'
import { readChat } from '../../events/log/read-chat.ts'
import { emailKey } from '../../events/person.ts'
import { readBody } from '../body.ts'
import { RequestError } from '../errors.ts'
import type { ApiNode } from '../node.ts'
import type { StaffEnv } from '../staff/staff.ts'
import { readAnswerable } from './answer.ts'
import { changeLead, readLead } from './change.ts'
import { familyIds } from './family.ts'
import { readSaid } from './given-answers.ts'

/** Throws where a chat has nothing to do with a lead: it was made a lead of, or had the address of, somebody else. */
const assertRelated = async (node: ApiNode, { lead }: KnownLead, sessionId: string) => {
  const { chat } = await readChat(node.sql, sessionId)
  if (!chat || chat.progress.isErased) throw new RequestError('not_found', 'There is no chat with this id')
  const ids = await familyIds(node, lead.id)
  if (chat.progress.leadId !== null && ids.includes(chat.progress.leadId)) return
  const typed = emailKey(chat.session.visitorEmail)
  const members = [...(await readFamily(node.sql, ids)).values()]
  if (typed !== null && members.some(({ own }) => emailKey(own.email) === typed)) return
  throw new RequestError('conflict', 'This chat has neither this lead nor its email address')
}

/** The last that staff wrote in a chat since a lead came. Throws where they wrote nothing. */
const lastSaidSince = async (node: ApiNode, { timestamp }: Lead, sessionId: string) => {
  const [said] = await readSaid(node, [messageStreams.of(sessionId)], 1)
  const by = said?.data.by
  if (!said || by === undefined || said.recordedAt <= new Date(timestamp)) {
    throw new RequestError('conflict', 'Nobody has written in this chat since the lead came')
  }
  return { by, answeredAt: said.recordedAt.toISOString() }
}

/**
 * Counts the last that staff wrote in a chat as the answer to a lead that waits, which is its author's from then on if it
 * was nobody's: for a chat that does not answer the lead by itself. Once for an Idempotency-Key; `Event-Id` is the change,
 * to be taken back by.
 */
export const countChatAnswer = async (node: ApiNode, c: Context<StaffEnv>, leadId: string) => {
  const { sessionId } = await readBody(c, chatAnswerForm)
  const staffId = c.get('staff').id
  const known = await readAnswerable(node, leadId)
  const { id } = known.lead
  await node.admission.admit('lead_answers', { account: staffId })
  await assertRelated(node, known, sessionId)
  const key = c.req.header('idempotency-key') ?? randomUUID()
  const answerId = deterministicUuid('counted answer in chat', id, sessionId, staffId, key)
  const { by, answeredAt } = await lastSaidSince(node, known.lead, sessionId)
  await changeLead(node, id, ({ lead, events }) => {
    if (events.some((event) => event.id === answeredId(answerId))) return undefined
    if (!isUnanswered(lead)) throw new RequestError('conflict', 'This lead waits for no answer any more')
    const chat = { sessionId, answeredAt, isCounted: true }
    const [change, ...others] = changesByAnswer(lead, { answerId, by, chat })
    return change && [change, ...others]
  })
  const { lead } = await readLead(node, id)
  c.header('ETag', `"${lead.version}"`)
  c.header('Event-Id', answeredId(answerId))
  return c.json(lead satisfies Lead, 201)
}
