import { emailKey } from '../../../events/base/address.ts'
import { phoneKey } from '../../../events/base/phone.ts'
import type { Sent } from '../../../events/base/word.ts'
import { messageStreams } from '../../../events/chat/chat.ts'
import type { ChatSummary } from '../../../events/chat/progress.ts'
import type { chatRecord } from '../../../events/chat/wire.ts'
import { leadStreams } from '../../../events/lead/lead.ts'
import { readReplies, replyTo } from '../../../events/lead/store/chat-replies.ts'
import { findChats, findKnownLead, findWaitingLead, type WaitingLead } from '../../../events/lead/store/people.ts'
import { readNewest } from '../../../events/log/read.ts'
import type { ApiNode } from '../../node/node.ts'

type VisitorLeads = Pick<Sent<typeof chatRecord>, 'knownLeadId' | 'waitingLead' | 'earlierChats'>

/** The maximum number of a visitor's other chats in a record, the newest. */
const MAX_EARLIER = 5
/** The maximum number of chats that are looked through for them. */
const MAX_LOOKED_THROUGH = 200

/** Whether the next reply in a chat marks a lead as answered automatically. Read without a key, which may be lost. */
const isAnsweredByItself = async ({ reading }: ApiNode, sessionId: string, { id, isMade }: WaitingLead) => {
  if (!isMade) return false
  const answers = { limit: 1, types: ['LeadAnswered'], data: { sessionId }, isOutline: true } as const
  return (await readNewest(reading, leadStreams.of(id), answers)).length === 0
}

/** Whether staff have written a message in a chat that may count as the reply to a lead, by their last message. */
const isWritten = async ({ reading }: ApiNode, sessionId: string, { isMade, submittedAt }: WaitingLead) => {
  const replies = await readReplies(reading, [messageStreams.of(sessionId)], 1)
  return replyTo(replies, { came: submittedAt, isMade }) !== undefined
}

const readWaitingLead = async (node: ApiNode, { session, progress }: ChatSummary) => {
  const { sessionId } = session
  const found = await findWaitingLead(node.reading, { madeId: progress.leadId, visitor: session })
  if (!found) return null
  const [isByItself, hasReply] = await Promise.all([
    isAnsweredByItself(node, sessionId, found),
    isWritten(node, sessionId, found),
  ])
  return { id: found.id, isMade: found.isMade, isByItself, isWritten: hasReply }
}

const present = (key: string | null) => (key === null ? [] : [key])

/** The newest other chats of a chat's visitor, by address, number and lead. */
const readEarlierChats = async ({ reading }: ApiNode, { session, progress }: ChatSummary) => {
  const { sessionId, visitorEmail, visitorPhone = '' } = session
  const keys = { emails: present(emailKey(visitorEmail)), phones: present(phoneKey(visitorPhone)) }
  const found = await findChats(reading, { leadIds: present(progress.leadId), ...keys }, MAX_LOOKED_THROUGH)
  return found
    .filter((chat) => !chat.isErased && chat.session.sessionId !== sessionId)
    .slice(-MAX_EARLIER)
    .toReversed()
    .map(({ session: { sessionId, startTime } }) => ({ sessionId, startTime }))
}

/** The leads and other chats of a chat's visitor. The chat is shown even if one cannot be read at the moment. */
export const leadsOfVisitor = async (node: ApiNode, chat: ChatSummary): Promise<VisitorLeads> => {
  const orNull = (error: unknown) => {
    node.logger.warn({ err: error }, 'a lead of the visitor of a chat could not be looked up')
    return null
  }
  const [knownLeadId, waitingLead, earlierChats] = await Promise.all([
    findKnownLead(node.reading, chat.session).catch(orNull),
    readWaitingLead(node, chat).catch(orNull),
    readEarlierChats(node, chat).catch(orNull),
  ])
  return { knownLeadId, waitingLead, earlierChats: earlierChats ?? [] }
}
