import type { AnyRecordedEvent } from '../../events/catalogue.ts'
import { sessionIdOf } from '../../events/chat/chat.ts'
import { WEBHOOKS } from '../../events/consumers/acting-consumers.ts'
import { leadIdOf } from '../../events/lead/lead.ts'
import { mergeStreams } from '../../events/lead/person/merge.ts'
import { type Queryable, readEvent } from '../../events/log/read.ts'
import type { Sql } from '../../events/stores/connection.ts'
import type { DeliveryTopic } from '../../events/webhook/form.ts'
import {
  deliveryIdOf,
  type NewDelivery,
  noteWebhookDeliveries,
  resendWebhookDelivery,
} from '../../events/webhook/store/deliveries.ts'
import { type OpenWebhook, openWebhooks } from '../../events/webhook/store/webhooks.ts'
import { actOnLogOnce } from '../consumers/act-on-log.ts'

/**
 * The topics of an event. A flagged submission is a lead once staff have released it; for one that staff flagged
 * themselves `lead.created` was sent before.
 */
const topicsOf = (event: AnyRecordedEvent): DeliveryTopic[] => {
  switch (event.type) {
    case 'LeadSubmitted':
      return event.data.suspicion ? [] : ['lead.created']
    case 'WebsiteInfoSubmitted':
      if (event.data.suspicion) return []
      return event.data.contractId ? ['lead.changed'] : ['lead.created']
    case 'LeadEntered':
      return ['lead.created']
    case 'LeadReleased':
      return event.data.undoes ? ['lead.changed'] : ['lead.created']
    case 'LeadFollowUpChanged':
      return event.data.followUpStatus === 'won' ? ['lead.changed', 'lead.won'] : ['lead.changed']
    case 'LeadNoteAdded':
    case 'LeadNoteRemoved':
      return event.data.answerId ? ['lead.changed'] : []
    case 'LeadAnswered':
    case 'LeadAnswerWithdrawn':
    case 'LeadAnswerFailed':
    case 'LeadAnswerRestored':
    case 'LeadCorrected':
    case 'LeadsMerged':
    case 'LeadsUnmerged':
      return ['lead.changed']
    case 'ChatStarted':
      return ['chat.started']
    case 'ChatEnded':
      return ['chat.ended']
    case 'WebhookChanged':
      return event.data.change === 'tested' ? ['test'] : []
    default:
      return []
  }
}

/**
 * The id of the lead or the chat that an event is about; null for a test. For a merge it is the lead that goes or comes
 * back.
 */
const subjectOf = ({ type, stream }: Pick<AnyRecordedEvent, 'type' | 'stream'>): string | null =>
  type === 'WebhookChanged' ? null : (leadIdOf(stream) ?? mergeStreams.idOf(stream) ?? sessionIdOf(stream))

/**
 * A test goes only to its webhook; all else goes to webhooks that asked for its topic, and nothing from before they
 * were made.
 */
const isFor = (event: AnyRecordedEvent, { id, topics, madeAt }: OpenWebhook, topic: NewDelivery['topic']) => {
  if (topic === 'test') return event.type === 'WebhookChanged' && event.data.webhookId === id
  return topics.includes(topic) && event.recordedAt >= madeAt
}

/**
 * The lead that stays in a merge, or stayed until it was unmerged: it shows something else since. A questionnaire that
 * follows a contract is merged into its lead.
 */
const stayingOf = async (sql: Queryable, event: AnyRecordedEvent): Promise<string | undefined> => {
  const merge = event.type === 'LeadsUnmerged' ? await readEvent(sql, event.data.mergeId) : event
  if (merge?.type === 'WebsiteInfoSubmitted') return merge.data.contractId
  return merge?.type === 'LeadsMerged' ? merge.data.into : undefined
}

const deliveriesOf = (event: AnyRecordedEvent, webhook: OpenWebhook, staying: string | undefined): NewDelivery[] =>
  topicsOf(event)
    .filter((topic) => isFor(event, webhook, topic))
    .flatMap((topic) => {
      const first = {
        id: deliveryIdOf(webhook.id, event.id, topic),
        webhookId: webhook.id,
        eventId: event.id,
        position: event.position,
        topic,
        subjectId: subjectOf(event),
        happenedAt: event.recordedAt,
      }
      if (staying === undefined) return [first]
      return [first, { ...first, id: deliveryIdOf(webhook.id, event.id, topic, staying), subjectId: staying }]
    })

/**
 * Notes the messages to webhooks about the next part of the log, in one transaction with the checkpoint, then queues
 * those that are due: a lost job comes back with the next sweep. Returns whether there may be more.
 */
export const noteForWebhooks = async (sql: Sql, { addDue }: { addDue: () => Promise<void> }): Promise<boolean> => {
  let hasDeliveries = false
  const hasMore = await actOnLogOnce(sql, WEBHOOKS, { opened: [] }, async (tx, events) => {
    const webhooks = events.length > 0 ? await openWebhooks(tx) : []
    const deliveries: NewDelivery[] = []
    for (const event of webhooks.length > 0 ? events : []) {
      const staying = await stayingOf(tx, event)
      deliveries.push(...webhooks.flatMap((webhook) => deliveriesOf(event, webhook, staying)))
    }
    await noteWebhookDeliveries(tx, deliveries)
    const again = events.flatMap((event) => (event.type === 'WebhookResendRequested' ? [event] : []))
    for (const { data, position } of again) await resendWebhookDelivery(tx, data.deliveryId, position)
    hasDeliveries = deliveries.length + again.length > 0
    return undefined
  })
  if (hasDeliveries) await addDue()
  return hasMore
}
