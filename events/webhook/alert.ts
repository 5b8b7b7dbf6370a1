import * as v from 'valibot'
import { defineEvent, defineStreams, type RecordedEvent } from '../base/definition.ts'
import type { Email, EmailEvent } from '../email/email.ts'

const id = v.pipe(v.string(), v.uuid())

/**
 * An email to an owner about a webhook that the site has paused: once per pause and person. `isGone`: its receiver
 * responded with 410; otherwise it accepted nothing for a day. The data subject is the event's own id: the address is
 * erased with the account.
 */
export const webhookAlertRequested = defineEvent({
  type: 'WebhookAlertRequested',
  schemaVersion: 1,
  data: v.object({ webhookId: id, accountId: id, host: v.string(), isGone: v.boolean() }),
  personal: v.object({ to: v.string() }),
})

/** One stream per webhook, of the emails about it and their outcomes. */
export const webhookAlertStreams = defineStreams<RecordedEvent<typeof webhookAlertRequested> | EmailEvent>(
  'alerts-of-webhook-',
)

/** The email to an owner. */
export const webhookAlertEmail = (
  { host, isGone }: { host: string; isGone: boolean },
  { to, publicUrl }: { to: string; publicUrl: string },
): Email => {
  const text = [
    `The webhook to ${host} was paused, because ${isGone ? 'its receiver said that it is gone (status 410)' : 'it took nothing for a day'}.`,
    'Events wait for up to 30 days.',
    `Once the receiver works again, resume the webhook: ${publicUrl}/admin-settings/webhooks`,
  ].join('\n\n')
  return {
    subject: `The webhook to ${host} is paused`,
    fields: [['message', text]],
    to,
    replyTo: null,
    about: null,
  }
}
