import { chatStreams, evolveChatSession } from '../../events/chat.ts'
import { fieldsOf, pickFields } from '../../events/follow-up.ts'
import type { Sql } from '../../events/log/connection.ts'
import { readEvent, readStream } from '../../events/log/read.ts'
import { readLead } from '../../events/projections/emails.ts'
import type { ClaimedWebhookDelivery } from '../../events/projections/webhook-deliveries.ts'
import type { webhookMessage } from '../../events/wire/webhook.ts'
import type { Sent } from '../../events/wire/word.ts'

type Content = Sent<typeof webhookMessage>['data']

/** What was changed of a lead by the event that a message is about. */
const changeOf = async (sql: Sql, eventId: string) => {
  const event = await readEvent(sql, eventId)
  return event?.type === 'LeadFollowUpChanged' ? { change: pickFields(event.data, fieldsOf(event.data)) } : {}
}

const chatContent = async (sql: Sql, sessionId: string): Promise<Content | undefined> => {
  const events = await readStream(sql, chatStreams.of(sessionId))
  const chat = events.reduce(evolveChatSession, undefined)
  return chat && { chat }
}

/**
 * What a message says, as it stands now: the lead, with what was changed, or the chat. Undefined for one that is
 * withdrawn, and for one that is still flagged as spam: nobody has been told that there is such a lead.
 */
export const contentOf = async (
  sql: Sql,
  { topic, subjectId, eventId }: Pick<ClaimedWebhookDelivery, 'topic' | 'subjectId' | 'eventId'>,
): Promise<Content | undefined> => {
  if (subjectId === null) return {}
  if (topic.startsWith('chat.')) return await chatContent(sql, subjectId)
  const known = await readLead(sql, subjectId)
  if (!known || known.lead.suspicion) return undefined
  return { lead: known.lead, ...(topic !== 'lead.created' && (await changeOf(sql, eventId))) }
}
