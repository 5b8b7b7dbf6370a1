import * as v from 'valibot'
import { oneOf, type Received } from '../base/word.ts'
import { chatSession } from '../chat/wire.ts'
import { correction } from '../lead/correction.ts'
import { followUpForm } from '../lead/follow-up.ts'
import { lead } from '../lead/wire.ts'
import { DELIVERY_TOPICS, WEBHOOK_TOPICS } from './form.ts'

const instant = v.pipe(v.string(), v.isoTimestamp())

/**
 * A webhook as owners see it. `madeBy` is the name of the account `madeById`. `isFailed`: it was paused because nothing
 * arrived for a day, or, with `isGone`, because its receiver answered that it is gone (410). `isPausedByRestore`: because
 * a backup was restored. `failingSince` is null if the last message arrived. `waiting` counts up to 1,000 messages that
 * have not arrived yet.
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

/** The answer of `GET /api/webhooks`, newest first. */
export const webhooks = v.array(webhook)

/** The answer of `POST /api/webhooks`: the secret that its messages are signed by, which is shown this once. */
export const madeWebhook = v.object({ id: v.string(), secret: v.string() })

/** The answer of `POST /api/webhooks/:id/secret`. */
export const rotatedSecret = v.object({ secret: v.string() })

/** The answer of `POST /api/webhooks/:id/test`: the delivery that is on its way. */
export const testedWebhook = v.object({ deliveryId: v.string() })

/**
 * What becomes of a delivery: it waits for its first or next try, has arrived, was given up after a day, or was
 * dropped, since its person was erased, its lead withdrawn, or its webhook removed.
 */
export const WEBHOOK_DELIVERY_STATES = ['waiting', 'delivered', 'given_up', 'dropped'] as const

/** A try: `status` is what the receiver answered; null where none came, and `problem` says why. `host` was tried. */
const attempt = v.object({
  at: instant,
  status: v.nullable(v.number()),
  problem: v.nullable(v.string()),
  host: v.exactOptional(v.string()),
})

/**
 * A message to a webhook. `host` is where it was tried last, or will be. `tries` are the newest, newest first. `answer`
 * is how the receiver's last answer begins; null where it said nothing, or its person was erased. `dueAt` is when it is
 * tried next.
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

/** The answer of `GET /api/webhook-deliveries`, newest first. */
export const webhookDeliveries = v.array(webhookDelivery)

/**
 * What a receiver is posted. `lead` is the lead as it stands when it is sent, `change` what was changed of it; `chat`
 * is the chat. A test holds neither.
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
