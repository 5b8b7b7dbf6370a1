import { type WebhookDelivery, webhookDeliveries } from '../../events/wire/webhook.ts'
import { postJson } from '../http.ts'
import { usePageList } from './page-list.ts'

const KEY = '/api/webhook-deliveries'
const REFRESH_INTERVAL_MS = 5_000

/** What went to other programs, newest first, page by page; `query` says of which webhook, and in which state. */
export const useWebhookDeliveries = (query: URLSearchParams) => {
  const text = query.toString()
  const { items: deliveries, ...list } = usePageList(text ? `${KEY}?${text}` : KEY, webhookDeliveries, {
    refreshInterval: REFRESH_INTERVAL_MS,
    revalidateAll: true,
  })
  return { ...list, deliveries }
}

/** Has a delivery sent again. */
export const resendDelivery = ({ id }: WebhookDelivery) => postJson(`${KEY}/${id}/resend`, {})
