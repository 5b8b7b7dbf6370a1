import type { Sent } from '../../events/base/word.ts'
import type { AnyRecordedEvent } from '../../events/catalogue.ts'
import { chatStreams, evolveChatSession } from '../../events/chat/chat.ts'
import { answerIdOf } from '../../events/lead/follow-up/answered.ts'
import { fieldsOf } from '../../events/lead/follow-up/follow-up.ts'
import { changesBy } from '../../events/lead/follow-up-history.ts'
import { leadIdOf } from '../../events/lead/lead.ts'
import { mergeStreams } from '../../events/lead/person/merge.ts'
import { readFamily } from '../../events/lead/store/family.ts'
import { mergedWith } from '../../events/lead/store/merged-leads.ts'
import { leadsProjection } from '../../events/lead/store/view.ts'
import { readEvent, readStream } from '../../events/log/read.ts'
import { schemaOf } from '../../events/projections/projection.ts'
import type { Sql } from '../../events/stores/connection.ts'
import type { ClaimedWebhookDelivery } from '../../events/webhook/store/deliveries.ts'
import type { webhookMessage } from '../../events/webhook/wire.ts'

type Content = Sent<typeof webhookMessage>['data']

/** A lead as staff see it, with what it shows of others. The view may not yet have the merge that the event is. */
const readShown = async (sql: Sql, leadId: string, event: AnyRecordedEvent | undefined) => {
  const merged = event && (mergeStreams.idOf(event.stream) ?? leadIdOf(event.stream))
  const ids = await mergedWith(sql, schemaOf(leadsProjection), leadId)
  return (await readFamily(sql, [...new Set([...ids, ...(merged ? [merged] : [])])])).get(leadId)
}

const chatContent = async (sql: Sql, sessionId: string): Promise<Content | undefined> => {
  const events = await readStream(sql, chatStreams.of(sessionId))
  const chat = events.reduce(evolveChatSession, undefined)
  return chat && { chat }
}

/**
 * The current content of a message: the lead, with its changes, or the chat. Undefined for a lead that is withdrawn,
 * for one that is still flagged as spam, about which no message was sent, and for a reply that changed nothing in the
 * lead.
 */
export const contentOf = async (
  sql: Sql,
  { topic, subjectId, eventId }: Pick<ClaimedWebhookDelivery, 'topic' | 'subjectId' | 'eventId'>,
): Promise<Content | undefined> => {
  if (subjectId === null) return {}
  if (topic.startsWith('chat.')) return await chatContent(sql, subjectId)
  const event = await readEvent(sql, eventId)
  const known = await readShown(sql, subjectId, event)
  if (!known || known.lead.suspicion) return undefined
  const { lead } = known
  if (event?.type === 'LeadCorrected' && event.personal) return { lead, change: event.personal }
  if (event?.type !== 'LeadFollowUpChanged' && (!event || answerIdOf(event) === undefined)) return { lead }
  const change = changesBy(known.events).get(event.id) ?? {}
  // a second reply changes nothing
  return fieldsOf(change).length > 0 ? { lead, change } : undefined
}
