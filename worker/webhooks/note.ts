import type { AnyRecordedEvent } from '../../events/catalogue.ts'
import {
  advanceActingConsumer,
  assertSameHistory,
  lockCheckpoint,
  prepareActingConsumer,
} from '../../events/log/checkpoints.ts'
import { inTransaction, type Sql } from '../../events/log/connection.ts'
import { type Queryable, readDeclared, readEvent } from '../../events/log/read.ts'
import { type OpenWebhook, openWebhooks } from '../../events/log/webhooks.ts'
import { WEBHOOKS } from '../../events/projections/readers.ts'
import {
  deliveryIdOf,
  type NewDelivery,
  noteWebhookDeliveries,
  resendWebhookDelivery,
} from '../../events/projections/webhook-deliveries.ts'
import { subjectOf, topicsOf, WEBHOOK_EVENTS } from '../../events/webhook.ts'
import type { WebhookQueue } from './queue.ts'

const BATCH_EVENTS = 500

/** Makes the checkpoint of webhooks where there is none. */
export const prepareWebhooks = (sql: Sql): Promise<void> => prepareActingConsumer(sql, WEBHOOKS)

/**
 * A test goes to its webhook alone; of all else a webhook is told what it asked for, and nothing from before it was
 * made.
 */
const isFor = (event: AnyRecordedEvent, { id, topics, madeAt }: OpenWebhook, topic: NewDelivery['topic']) => {
  if (topic === 'test') return event.type === 'WebhookChanged' && event.data.webhookId === id
  return topics.includes(topic) && event.recordedAt >= madeAt
}

/** The lead that stays in a merge, or stayed until it was unmerged: it shows something else since. */
const stayingOf = async (sql: Queryable, event: AnyRecordedEvent): Promise<string | undefined> => {
  if (event.type === 'LeadsMerged') return event.data.into
  if (event.type !== 'LeadsUnmerged') return undefined
  const merge = await readEvent(sql, event.data.mergeId)
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
 * Notes what webhooks have to be told of the next part of the log, in one transaction with the checkpoint, then queues
 * what is due: a job that is lost comes back with the next sweep. Returns whether there may be more.
 */
export const noteForWebhooks = async (sql: Sql, queue: Pick<WebhookQueue, 'addDue'>): Promise<boolean> => {
  const { hasMore, isNews } = await inTransaction(sql, async (tx) => {
    const checkpoint = await lockCheckpoint(tx, WEBHOOKS)
    if (!checkpoint) return { hasMore: false, isNews: false }
    assertSameHistory(WEBHOOKS, checkpoint)
    const declared = { types: WEBHOOK_EVENTS, opened: [] }
    const { events, position, hasMore } = await readDeclared(tx, checkpoint.position, BATCH_EVENTS, declared)
    const webhooks = events.length > 0 ? await openWebhooks(tx) : []
    const noted: NewDelivery[] = []
    for (const event of webhooks.length > 0 ? events : []) {
      const staying = await stayingOf(tx, event)
      noted.push(...webhooks.flatMap((webhook) => deliveriesOf(event, webhook, staying)))
    }
    await noteWebhookDeliveries(tx, noted)
    const again = events.flatMap((event) => (event.type === 'WebhookResendRequested' ? [event] : []))
    for (const { data, position: askedAt } of again) await resendWebhookDelivery(tx, data.deliveryId, askedAt)
    if (position > checkpoint.position) await advanceActingConsumer(tx, WEBHOOKS, { from: checkpoint, to: position })
    return { hasMore, isNews: noted.length + again.length > 0 }
  })
  if (isNews) await queue.addDue()
  return hasMore
}
