import type { Logger } from 'pino'
import type { Appender } from '../../events/log/append.ts'
import { deterministicUuid } from '../../events/log/event-id.ts'
import { handle } from '../../events/log/handle.ts'
import type { Queryable } from '../../events/log/read.ts'
import type { LiveSettings } from '../../events/settings/store/live-settings.ts'
import { ACCOUNTS_STREAM, webhookChanged } from '../../events/staff/account-history.ts'
import { ownersToEmail } from '../../events/staff/store/alerts.ts'
import { inTransaction, type Sql } from '../../events/stores/connection.ts'
import { webhookAlertRequested, webhookAlertStreams } from '../../events/webhook/alert.ts'
import {
  type ClaimedWebhookDelivery,
  recordWebhookAttempt,
  type WebhookAttempt,
} from '../../events/webhook/store/deliveries.ts'
import { clearFailing, pauseFailing, recordReceipt, webhookHost } from '../../events/webhook/store/webhooks.ts'
import { hasServer } from '../email/ways.ts'
import type { Config } from '../process/config.ts'

/** By this status a receiver says that it wants no more messages (RFC 9110, 15.5.11). */
export const GONE_STATUS = 410

/** The dependencies of sending to webhooks. `timeoutMs` is how long a receiver may take. */
export type WebhookSending = {
  sql: Sql
  log: Pick<Appender, 'append'>
  logger: Pick<Logger, 'warn'>
  config: Pick<Config, 'pushTestOrigins' | 'smtpUrl'>
  settings: Pick<LiveSettings, 'current'>
  timeoutMs?: number
}

type Pause = { webhookId: string; since: Date; host: string; isGone: boolean }

/**
 * Requests the emails about a pause to all owners who get emails, all in one append, once however often it is tried.
 */
const emailOwners = async (tx: Queryable, log: WebhookSending['log'], { webhookId, since, host, isGone }: Pause) => {
  const owners = await ownersToEmail(tx)
  await handle(log, {
    read: () => ({ stream: webhookAlertStreams.of(webhookId), version: 'any' as const }),
    decide: () => {
      const [first, ...others] = owners.map(({ id: accountId, email: to }) => {
        const id = deterministicUuid('webhook alert', webhookId, since.toISOString(), accountId)
        const about = { subjectId: id, personal: { to } }
        return { id, ...webhookAlertRequested({ webhookId, accountId, host, isGone }, about) }
      })
      return first && [first, ...others]
    },
    isOnce: true,
  })
}

/**
 * Pauses a webhook that has accepted nothing for a day, or that is gone. The pause is in the log before it takes
 * effect, once.
 */
const pauseIfFailing = ({ sql, log, logger, config, settings }: WebhookSending, webhookId: string, isGone: boolean) =>
  inTransaction(sql, async (tx) => {
    const since = await pauseFailing(tx, webhookId, isGone)
    if (!since) return
    const id = deterministicUuid('webhook failed', webhookId, since.toISOString())
    const host = await webhookHost(tx, webhookId)
    const failed = webhookChanged({ webhookId, change: 'failed', ...(host && { host }), by: null, from: null })
    const events = [{ id, ...failed }]
    await log.append({ stream: ACCOUNTS_STREAM, expectedVersion: 'any', events })
    if (hasServer({ config, settings })) await emailOwners(tx, log, { webhookId, since, host: host ?? '', isGone })
    logger.warn({ webhookId }, 'a webhook took nothing for a day, or is gone, and was paused')
  })

/** Records the result of an attempt, and its consequence for the webhook. A failed test has none. */
export const recordAttempt = async (
  sending: WebhookSending,
  delivery: ClaimedWebhookDelivery,
  attempt: WebhookAttempt,
): Promise<void> => {
  const { webhookId, topic } = delivery
  await recordWebhookAttempt(sending.sql, delivery, attempt)
  const isAccepted = attempt.next === 'delivered'
  if (attempt.next === 'dropped') return await clearFailing(sending.sql, webhookId)
  if (topic === 'test' && !isAccepted) return
  await recordReceipt(sending.sql, webhookId, isAccepted)
  if (!isAccepted) await pauseIfFailing(sending, webhookId, attempt.status === GONE_STATUS)
}
