import type { Sent } from '../../base/word.ts'
import { keysOf } from '../../chat/store/keys.ts'
import { unsealBytes } from '../../keys/seal.ts'
import { keysForReading } from '../../keys/subject-keys.ts'
import type { Sql } from '../../stores/connection.ts'
import type { WEBHOOK_DELIVERY_STATES, webhookDelivery } from '../wire.ts'

/** The associated data of a response's encryption: it decrypts only as that of its delivery. */
export const answerSealedAs = (deliveryId: string) => `answer of webhook delivery ${deliveryId}`

/** Marks a delivery as the last of a page. */
export type DeliveryCursor = { position: number; id: string }

type Delivery = Sent<typeof webhookDelivery>

type Row = Omit<Delivery, 'leadId' | 'chatId' | 'host' | 'happenedAt' | 'dueAt' | 'answer'> & {
  position: number
  url: string
  subjectId: string | null
  answer: Buffer | null
  happenedAt: Date
  dueAt: Date
}

/** A receiver's response as text: invalid bytes become replacement characters. */
const asText = (bytes: Buffer) => bytes.toString('utf8').replaceAll('\0', '�') || null

/** Decrypts the responses of a page: a response is lost with the key of the person that its message was about. */
const openAnswers = async (sql: Sql, rows: readonly Row[]): Promise<Map<string, string | null>> => {
  const subjects = new Set(rows.flatMap(({ answer, subjectId }) => (answer && subjectId ? [subjectId] : [])))
  const keys = await keysForReading(sql, keysOf(sql), [...subjects])
  return new Map(
    rows.map(({ id, answer, subjectId }) => {
      if (!answer) return [id, null]
      if (subjectId === null) return [id, asText(answer)]
      const key = keys.get(subjectId)
      return [id, key ? asText(unsealBytes(key, answerSealedAs(id), answer)) : null]
    }),
  )
}

/** A page of deliveries, newest first, with the cursor of the next one if there is one. */
export const listWebhookDeliveries = async (
  sql: Sql,
  {
    webhookId,
    state,
    limit,
    after,
  }: {
    webhookId: string | undefined
    state: (typeof WEBHOOK_DELIVERY_STATES)[number] | undefined
    limit: number
    after: DeliveryCursor | undefined
  },
): Promise<{ page: Delivery[]; next: DeliveryCursor | undefined }> => {
  // a worker drops it soon
  const isOver = sql`(d.state = 'waiting' and w.removed_at is not null)`
  const rows = await sql<Row[]>`
    select d.id, d.webhook_id as "webhookId", d.topic,
      case when ${isOver} then 'dropped' else d.state end as state, d.attempts, d.tries, d.answer,
      d.event_position as position, d.subject_id as "subjectId", d.happened_at as "happenedAt", d.due_at as "dueAt",
      w.url, w.removed_at is null as "isResendable"
    from webhook_deliveries d join webhooks w on w.id = d.webhook_id
    where true
      ${webhookId ? sql`and d.webhook_id = ${webhookId}` : sql``}
      ${state ? sql`and d.state = ${state} and not ${isOver}` : sql``}
      ${after ? sql`and (d.event_position, d.id) < (${after.position}, ${after.id})` : sql``}
    order by d.event_position desc, d.id desc limit ${limit + 1}`
  const shown = rows.slice(0, limit)
  const answers = await openAnswers(sql, shown)
  const last = shown.at(-1)
  const page = shown.map(({ position: _, url, subjectId, happenedAt, dueAt, ...row }) => ({
    ...row,
    host: row.tries.find(({ host }) => host)?.host ?? new URL(url).host,
    answer: answers.get(row.id) ?? null,
    leadId: row.topic.startsWith('lead.') ? subjectId : null,
    chatId: row.topic.startsWith('chat.') ? subjectId : null,
    happenedAt: happenedAt.toISOString(),
    dueAt: row.state === 'waiting' ? dueAt.toISOString() : null,
  }))
  return { page, next: rows.length > limit && last ? { position: last.position, id: last.id } : undefined }
}

/** Whether a delivery exists and can be sent again: its webhook has not been removed. */
export const isResendable = async (sql: Sql, id: string): Promise<boolean> =>
  (
    await sql`
      select 1 from webhook_deliveries d join webhooks w on w.id = d.webhook_id
      where d.id = ${id} and w.removed_at is null`
  ).length > 0
