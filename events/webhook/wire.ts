import * as v from 'valibot'
import { oneOf, type Received } from '../base/word.ts'
import { chatSession } from '../chat/wire.ts'
import { correction } from '../lead/correction.ts'
import { followUpForm } from '../lead/follow-up/follow-up.ts'
import { lead } from '../lead/wire.ts'
import { DELIVERY_TOPICS, WEBHOOK_TOPICS } from './form.ts'

const instant = v.pipe(v.string(), v.isoTimestamp())

/**
 * A webhook as owners see it. `madeBy` is the name of the account `madeById`. `isFailed`: it was paused because nothing
 * arrived for a day, or, with `isGone`, because its receiver responded that it is gone (410). `isPausedByRestore`:
 * because a backup was restored. `failingSince` is null if the last message arrived. `waiting` counts up to 1,000
 * messages that have not arrived yet.
 */
export const webhook = v.object({
  id: v.string(),
  url: v.string(),
  topics: v.array(oneOf(WEBHOOK_TOPICS)),
  madeBy: v.string(),
  madeById: v.string(),
  madeAt: instant,
  isPaused: v.boolean(),
  isFailed: v.boolean(),
  isGone: v.boolean(),
  isPausedByRestore: v.boolean(),
  failingSince: v.nullable(instant),
  waiting: v.number(),
})

export type Webhook = Received<typeof webhook>

/** The response of `GET /api/webhooks`, newest first. */
export const webhooks = v.array(webhook)

/** The response of `POST /api/webhooks`: the secret that signs its messages, shown only this once. */
export const madeWebhook = v.object({ id: v.string(), secret: v.string() })

/** The response of `POST /api/webhooks/:id/secret`. */
export const rotatedSecret = v.object({ secret: v.string() })

/** The response of `POST /api/webhooks/:id/test`: the delivery that is on its way. */
export const testedWebhook = v.object({ deliveryId: v.string() })

/**
 * The states of a delivery: it waits for its first or next attempt, has arrived, was given up after a day, or was
 * dropped because its person was erased, its lead withdrawn, or its webhook removed.
 */
export const WEBHOOK_DELIVERY_STATES = ['waiting', 'delivered', 'given_up', 'dropped'] as const

/**
 * An attempt: `status` is that of the receiver's response; null if there was none, and `problem` says why. `host` was
 * tried.
 */
const attempt = v.object({
  at: instant,
  status: v.nullable(v.number()),
  problem: v.nullable(v.string()),
  host: v.exactOptional(v.string()),
})

/**
 * A message to a webhook. `host` is the one tried last, or the one to try. `tries` are the newest attempts, newest
 * first. `answer` is the beginning of the receiver's last response; null if it was empty, or its person was erased.
 * `dueAt` is the time of the next attempt.
 */
export const webhookDelivery = v.object({
  id: v.string(),
  webhookId: v.string(),
  host: v.string(),
  topic: oneOf(DELIVERY_TOPICS),
  leadId: v.nullable(v.string()),
  chatId: v.nullable(v.string()),
  state: oneOf(WEBHOOK_DELIVERY_STATES),
  attempts: v.number(),
  tries: v.array(attempt),
  answer: v.nullable(v.string()),
  happenedAt: instant,
  dueAt: v.nullable(instant),
  isResendable: v.boolean(),
})

export type WebhookDelivery = Received<typeof webhookDelivery>

/** The response of `GET /api/webhook-deliveries`, newest first. */
export const webhookDeliveries = v.array(webhookDelivery)

/**
 * The body that a receiver gets. `lead` is the lead as it is when it is sent, `change` the changes of it; `chat` is the
 * chat. A test has neither.
 */
export const webhookMessage = v.object({
  type: oneOf(DELIVERY_TOPICS),
  timestamp: instant,
  data: v.object({
    lead: v.exactOptional(lead),
    change: v.exactOptional(v.strictObject({ ...followUpForm.entries, ...correction.entries })),
    chat: v.exactOptional(chatSession),
  }),
})
