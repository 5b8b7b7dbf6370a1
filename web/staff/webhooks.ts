import type { WebhookChange, WebhookForm } from '../../events/webhook/form.ts'
import { madeWebhook, rotatedSecret, webhooks } from '../../events/webhook/wire.ts'
import { read } from '../client/get.ts'
import { send } from '../client/http.ts'
import { useGet } from './use-get.ts'

export const WEBHOOKS_KEY = '/api/webhooks'

/** The webhooks, newest first, and the changes that owners make to them. */
export const useWebhooks = () => {
  const { data, error, mutate } = useGet(WEBHOOKS_KEY, webhooks, { poll: 'seldom' })
  return {
    webhooks: data,
    error,
    retry: () => mutate(),
    /** Makes a webhook and returns its secret: it is shown once. */
    make: async (form: WebhookForm) => {
      const { secret } = await send('POST', WEBHOOKS_KEY, form).then(read(madeWebhook))
      await mutate()
      return secret
    },
    change: async (id: string, change: WebhookChange) => {
      await send('PATCH', `${WEBHOOKS_KEY}/${id}`, change)
      await mutate()
    },
    /** Makes a new secret and returns it: it is shown once. */
    rotate: async (id: string) => {
      const { secret } = await send('POST', `${WEBHOOKS_KEY}/${id}/secret`, {}).then(read(rotatedSecret))
      await mutate()
      return secret
    },
    test: (id: string) => send('POST', `${WEBHOOKS_KEY}/${id}/test`, {}),
    remove: async (id: string) => {
      await send('DELETE', `${WEBHOOKS_KEY}/${id}`)
      await mutate()
    },
  }
}
