import { messageStreams } from '../../../events/chat.ts'
import type { ChatSummary } from '../../../events/chat-summary.ts'
import { leadStreams } from '../../../events/lead.ts'
import { countsAsAnswer } from '../../../events/log/answer-changes.ts'
import { readNewest } from '../../../events/log/read.ts'
import { readSaid, saidTo } from '../../../events/projections/given-answers.ts'
import { findKnownLead, findWaitingLead, type WaitingLead } from '../../../events/projections/people.ts'
import type { chatRecord } from '../../../events/wire/chat.ts'
import type { Sent } from '../../../events/wire/word.ts'
import type { ApiNode } from '../../node.ts'

/** How many events of a lead are looked through, its newest. */
const MAX_LEAD_EVENTS = 10_000

type VisitorLeads = Pick<Sent<typeof chatRecord>, 'knownLeadId' | 'waitingLead'>

/** Whether the next that staff write in a chat answers a lead by itself. Read without a key: that may be lost. */
const isAnsweredByItself = async ({ reading }: ApiNode, sessionId: string, { id, isMade }: WaitingLead) => {
  if (!isMade) return false
  const events = await readNewest(reading, leadStreams.of(id), { limit: MAX_LEAD_EVENTS, isOutline: true })
  return countsAsAnswer({ sessionId, position: Number.POSITIVE_INFINITY }, events)
}

/** Whether staff have written in a chat what they may count as the answer to a lead: what they wrote last tells. */
const isWritten = async ({ reading }: ApiNode, sessionId: string, { isMade, submittedAt }: WaitingLead) => {
  const said = await readSaid(reading, [messageStreams.of(sessionId)], 1)
  return saidTo(said, { came: submittedAt, isMade }) !== undefined
}

const readWaitingLead = async (node: ApiNode, { session, progress }: ChatSummary) => {
  const { sessionId, visitorEmail: email } = session
  const found = await findWaitingLead(node.reading, { madeId: progress.leadId, email })
  if (!found) return null
  const [isByItself, hasWords] = await Promise.all([
    isAnsweredByItself(node, sessionId, found),
    isWritten(node, sessionId, found),
  ])
  return { id: found.id, isMade: found.isMade, isByItself, isWritten: hasWords }
}

/** What leads there are of a chat's visitor. The chat is shown though one of them cannot be looked up just now. */
export const leadsOfVisitor = async (node: ApiNode, chat: ChatSummary): Promise<VisitorLeads> => {
  const orNull = (error: unknown) => {
    node.logger.warn({ err: error }, 'a lead of the visitor of a chat could not be looked up')
    return null
  }
  const [knownLeadId, waitingLead] = await Promise.all([
    findKnownLead(node.reading, chat.session.visitorEmail).catch(orNull),
    readWaitingLead(node, chat).catch(orNull),
  ])
  return { knownLeadId, waitingLead }
}
