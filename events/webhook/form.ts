import * as v from 'valibot'
import { requiredText } from '../base/text.ts'

/** The topics that other programs can subscribe to. */
export const WEBHOOK_TOPICS = ['lead.created', 'lead.changed', 'lead.won', 'chat.started', 'chat.ended'] as const

export type WebhookTopic = (typeof WEBHOOK_TOPICS)[number]

/** The topics of deliveries: an owner may also send an empty message, to test a webhook. */
export const DELIVERY_TOPICS = [...WEBHOOK_TOPICS, 'test'] as const

export type DeliveryTopic = (typeof DELIVERY_TOPICS)[number]

const MAX_URL_CHARACTERS = 2_000
const A_URL = 'Must be an address such as https://example.com/hook'

const url = v.pipe(
  requiredText('Address is required', { max: MAX_URL_CHARACTERS }),
  v.check((text) => URL.canParse(text) && /^https?:/i.test(text), A_URL),
  v.transform((text) => new URL(text).href),
)

const topics = v.pipe(
  v.array(v.picklist(WEBHOOK_TOPICS, `Must be one of: ${WEBHOOK_TOPICS.join(', ')}`)),
  v.minLength(1, 'Choose the events that it receives'),
  v.transform((chosen) => WEBHOOK_TOPICS.filter((topic) => chosen.includes(topic))),
)

/** A new webhook; the body of `POST /api/webhooks`. The server decides whether its address may be reached. */
export const webhookForm = v.strictObject({ url, topics })

export type WebhookForm = v.InferOutput<typeof webhookForm>

/** An owner's change of a webhook; the body of `PATCH /api/webhooks/:id`. */
export const webhookChange = v.strictObject({
  url: v.exactOptional(url),
  topics: v.exactOptional(topics),
  isPaused: v.exactOptional(v.boolean()),
})

export type WebhookChange = v.InferOutput<typeof webhookChange>
