import type { Logger } from 'pino'
import { ACCOUNTS_STREAM, webhookChanged } from '../../events/account-history.ts'
import type { Appender } from '../../events/log/append.ts'
import { inTransaction, type Sql } from '../../events/log/connection.ts'
import { deterministicUuid } from '../../events/log/event-id.ts'
import { forgetFailing, noteStanding, pauseFailing, webhookHost } from '../../events/log/webhooks.ts'
import {
  type ClaimedWebhookDelivery,
  recordWebhookAttempt,
  type WebhookAttempt,
} from '../../events/projections/webhook-deliveries.ts'
import type { Config } from '../config.ts'

/** By this status a receiver says that it wants no more messages (RFC 9110, 15.5.11). */
export const GONE = 410

/** What sending to webhooks works with. `timeoutMs` is how long a receiver may take. */
export type Telling = {
  sql: Sql
  log: Pick<Appender, 'append'>
  logger: Pick<Logger, 'warn'>
  config: Pick<Config, 'pushTestOrigins'>
  timeoutMs?: number
}

/** Pauses a webhook that has taken nothing for a day, or that is gone. It is in the log before it holds, once. */
const pauseIfFailing = ({ sql, log, logger }: Telling, webhookId: string, isGone: boolean) =>
  inTransaction(sql, async (tx) => {
    const since = await pauseFailing(tx, webhookId, isGone)
    if (!since) return
    const id = deterministicUuid('webhook failed', webhookId, since.toISOString())
    const host = await webhookHost(tx, webhookId)
    const failed = webhookChanged({ webhookId, change: 'failed', ...(host && { host }), by: null, from: null })
    const events = [{ id, ...failed }]
    await log.append({ stream: ACCOUNTS_STREAM, expectedVersion: 'any', events })
    logger.warn({ webhookId }, 'a webhook took nothing for a day, or is gone, and was paused')
  })

/** Records what came of an attempt, and what that says of the webhook. A test that fails says nothing. */
export const recordAttempt = async (
  telling: Telling,
  delivery: ClaimedWebhookDelivery,
  attempt: WebhookAttempt,
): Promise<void> => {
  const { webhookId, topic } = delivery
  await recordWebhookAttempt(telling.sql, delivery, attempt)
  const isTaken = attempt.next === 'delivered'
  if (attempt.next === 'dropped') return await forgetFailing(telling.sql, webhookId)
  if (topic === 'test' && !isTaken) return
  await noteStanding(telling.sql, webhookId, isTaken)
  if (!isTaken) await pauseIfFailing(telling, webhookId, attempt.status === GONE)
}
