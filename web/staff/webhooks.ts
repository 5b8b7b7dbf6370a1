import useSWR from 'swr'
import * as v from 'valibot'
import type { WebhookChange, WebhookForm } from '../../events/webhook-form.ts'
import { madeWebhook, rotatedSecret, type Webhook, webhooks } from '../../events/wire/webhook.ts'
import { postJson, request, sendJson } from '../http.ts'
import { loader } from '../load.ts'

export const WEBHOOKS_KEY = '/api/webhooks'
const REFRESH_INTERVAL_MS = 60_000

/** The webhooks that owners keep, newest first, and what they do with them. */
export const useWebhooks = () => {
  const { data, error, mutate } = useSWR<Webhook[]>(WEBHOOKS_KEY, loader(webhooks), {
    refreshInterval: REFRESH_INTERVAL_MS,
  })
  return {
    webhooks: data,
    error,
    retry: () => mutate(),
    /** Makes one, and answers its secret: nothing shows it again. */
    make: async (form: WebhookForm) => {
      const { secret } = v.parse(madeWebhook, await (await postJson(WEBHOOKS_KEY, form)).json())
      await mutate()
      return secret
    },
    change: async (id: string, change: WebhookChange) => {
      await sendJson('PATCH', `${WEBHOOKS_KEY}/${id}`, change)
      await mutate()
    },
    /** Makes a new secret, and answers it: nothing shows it again. */
    rotate: async (id: string) => {
      const { secret } = v.parse(rotatedSecret, await (await postJson(`${WEBHOOKS_KEY}/${id}/secret`, {})).json())
      await mutate()
      return secret
    },
    test: (id: string) => postJson(`${WEBHOOKS_KEY}/${id}/test`, {}),
    remove: async (id: string) => {
      await request(`${WEBHOOKS_KEY}/${id}`, { method: 'DELETE' })
      await mutate()
    },
  }
}
