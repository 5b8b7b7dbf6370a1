import { createHmac } from 'node:crypto'
import { type Backoff, backoffMs } from '../../events/base/backoff.ts'
import { errorCode } from '../../events/base/error-code.ts'
import { SECOND_MS } from '../../events/base/time.ts'
import type { Sent } from '../../events/base/word.ts'
import { keysOf } from '../../events/chat/store/keys.ts'
import type { DataKey } from '../../events/keys/key-ring.ts'
import { seal } from '../../events/keys/seal.ts'
import { keysForReading } from '../../events/keys/subject-keys.ts'
import { InnerAddressError } from '../../events/process/public-address.ts'
import type { Sql } from '../../events/stores/connection.ts'
import {
  type ClaimedWebhookDelivery,
  claimWebhookDelivery,
  type WebhookAttempt,
} from '../../events/webhook/store/deliveries.ts'
import { answerSealedAs } from '../../events/webhook/store/log.ts'
import { readReceiver } from '../../events/webhook/store/webhooks.ts'
import type { webhookMessage } from '../../events/webhook/wire.ts'
import { postOutside } from '../process/outside-request.ts'
import { contentOf } from './content.ts'
import { GONE_STATUS, recordAttempt, type WebhookSending } from './outcome.ts'

/** How long a receiver may take, from the look-up of its name to the end of its response. */
const TIMEOUT_MS = 10_000
/** How many bytes of a response are stored. */
const MAX_RESPONSE_BYTES = 500
const PAUSES: Backoff = { firstMs: 5 * SECOND_MS, growth: 4, longestMs: 4 * 60 * 60 * SECOND_MS, random: 0.2 }
/** After this time a message is sent only if staff send it again. */
const TRIED_FOR_MS = 24 * 60 * 60 * SECOND_MS
/** The pause after this many attempts, and null once the time is over. */
export const pauseAfter = (attempts: number, triedForMs: number): number | null =>
  triedForMs >= TRIED_FOR_MS ? null : backoffMs(PAUSES, attempts)

/**
 * The headers of Standard Webhooks: a receiver recognises a duplicate by the id; the signature is valid only for this
 * time.
 */
const headersOf = (id: string, secrets: Buffer[], body: string) => {
  const timestamp = Math.floor(Date.now() / SECOND_MS)
  const sign = (secret: Buffer) => createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')
  return {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'user-agent': 'agency-site-webhooks',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map((secret) => `v1,${sign(secret)}`).join(' '),
  }
}

/** The name of a failure in the list of deliveries: our own words, since a receiver's could be anything. */
const problemOf = (error: unknown, timeoutMs: number) => {
  if (error instanceof InnerAddressError) return 'Refused: this address is not on the internet'
  if (error instanceof Error && error.name === 'TimeoutError')
    return `No answer within ${timeoutMs / SECOND_MS} seconds`
  const code = errorCode(error)
  return /^[A-Z_\d]{3,50}$/.test(code) ? `No connection (${code})` : 'No connection'
}

const DROPPED: WebhookAttempt = {
  host: null,
  status: null,
  problem: 'There is nothing left to send',
  answer: null,
  next: 'dropped',
}

/**
 * The key of the person a message is about: null if they have been erased, undefined for a test, which is about no
 * person.
 */
const keyOf = async (sql: Sql, subjectId: string | null): Promise<DataKey | null | undefined> =>
  subjectId === null ? undefined : ((await keysForReading(sql, keysOf(sql), [subjectId])).get(subjectId) ?? null)

const problemOfStatus = (status: number, topic: ClaimedWebhookDelivery['topic']) => {
  if (status === GONE_STATUS) return topic === 'test' ? 'It is gone' : 'It is gone: the webhook was paused'
  return status >= 300 && status < 400 ? 'It redirects, which is not followed' : null
}

/** A test is tried once: its owner waits for it. A receiver may ask for a longer pause, up to the longest one. */
const nextAfter = (
  { topic, attemptSinceRequest, triedForMs }: ClaimedWebhookDelivery,
  wantedMs = 0,
): WebhookAttempt['next'] => {
  const pauseMs = topic === 'test' ? null : pauseAfter(attemptSinceRequest, triedForMs)
  return pauseMs === null ? 'given_up' : { retryAfterMs: Math.max(pauseMs, Math.min(wantedMs, PAUSES.longestMs)) }
}

const tryOnce = async (
  { sql, config, timeoutMs = TIMEOUT_MS }: WebhookSending,
  delivery: ClaimedWebhookDelivery,
): Promise<WebhookAttempt> => {
  const { id, topic, subjectId, happenedAt } = delivery
  const receiver = await readReceiver(sql, keysOf(sql).ring, delivery.webhookId)
  const key = await keyOf(sql, subjectId)
  const data = key === null ? undefined : await contentOf(sql, delivery)
  if (!receiver || !data) return DROPPED
  const { host } = new URL(receiver.url)
  const failed = (problem: string): WebhookAttempt => ({
    ...{ host, status: null, problem, answer: null },
    next: nextAfter(delivery),
  })
  if (receiver.secrets.length === 0) return failed('Its secret cannot be opened: make a new one')
  const message: Sent<typeof webhookMessage> = { type: topic, timestamp: happenedAt.toISOString(), data }
  const body = JSON.stringify(message)
  const limits = { testOrigins: config.pushTestOrigins, timeoutMs, maxBytes: MAX_RESPONSE_BYTES }
  try {
    const sent = { headers: headersOf(id, receiver.secrets, body), body }
    const { status, beginning, retryAfterMs } = await postOutside(receiver.url, sent, limits)
    // a receiver may repeat the message, so its response is personal data too
    const answer = key ? seal(key, answerSealedAs(id), beginning) : beginning
    const isAccepted = status >= 200 && status < 300
    return {
      host,
      status,
      problem: problemOfStatus(status, topic),
      answer: beginning.length > 0 ? answer : null,
      next: isAccepted ? 'delivered' : nextAfter(delivery, retryAfterMs),
    }
  } catch (error) {
    return failed(problemOf(error, timeoutMs))
  }
}

/**
 * Sends a delivery once, if it is due, and records the result. A delivery that fails on our side is claimed again
 * later.
 */
export const sendDelivery = async (sending: WebhookSending, deliveryId: string): Promise<void> => {
  const delivery = await claimWebhookDelivery(sending.sql, deliveryId)
  if (delivery) await recordAttempt(sending, delivery, await tryOnce(sending, delivery))
}
