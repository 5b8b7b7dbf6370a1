import { mutate } from 'swr'
import type { WebhookChange, WebhookForm } from '../../../events/webhook/form.ts'
import { madeWebhook, rotatedSecret, webhooks } from '../../../events/webhook/wire.ts'
import { read } from '../../client/get.ts'
import { send } from '../../client/http.ts'
import { useGet } from '../requests/use-get.ts'

export const WEBHOOKS_KEY = '/api/webhooks'

export const useWebhooks = () => useGet(WEBHOOKS_KEY, webhooks, { poll: 'seldom' })

const addressOf = (id: string) => `${WEBHOOKS_KEY}/${id}`

/** Makes a webhook and returns its secret: it is shown once. */
export const makeWebhook = async (form: WebhookForm) => {
  const { secret } = await send('POST', WEBHOOKS_KEY, form).then(read(madeWebhook))
  await mutate(WEBHOOKS_KEY)
  return secret
}

export const changeWebhook = async (id: string, change: WebhookChange) => {
  await send('PATCH', addressOf(id), change)
  await mutate(WEBHOOKS_KEY)
}

/** Makes a new secret and returns it: it is shown once. */
export const rotateSecret = async (id: string) => {
  const { secret } = await send('POST', `${addressOf(id)}/secret`, {}).then(read(rotatedSecret))
  await mutate(WEBHOOKS_KEY)
  return secret
}

export const testWebhook = (id: string) => send('POST', `${addressOf(id)}/test`, {})

export const removeWebhook = async (id: string) => {
  await send('DELETE', addressOf(id))
  await mutate(WEBHOOKS_KEY)
}
