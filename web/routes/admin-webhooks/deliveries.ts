import { type WebhookDelivery, webhookDeliveries } from '../../../events/webhook/wire.ts'
import { send } from '../../client/http.ts'
import { useGetPages } from '../../staff/requests/use-get.ts'

const KEY = '/api/webhook-deliveries'

/** The deliveries to other programs, newest first, page by page; `query` names a webhook and a state. */
export const useWebhookDeliveries = (query: URLSearchParams) => {
  const text = query.toString()
  const { items, ...list } = useGetPages(text ? `${KEY}?${text}` : KEY, webhookDeliveries, { poll: 'watched' })
  return { ...list, deliveries: items }
}

export const resendDelivery = ({ id }: WebhookDelivery) => send('POST', `${KEY}/${id}/resend`, {})
