import { useState } from 'react'
import * as v from 'valibot'
import { WEBHOOK_TOPICS, type WebhookForm, webhookForm } from '../../../events/webhook/form.ts'
import type { Webhook } from '../../../events/webhook/wire.ts'
import { DialogForm, FinalDialog, FormDialog } from '../../staff/forms/form-dialog.tsx'
import { useStaffForm } from '../../staff/forms/use-staff-form.ts'
import { TOPIC_NAMES } from '../../staff/webhooks/webhook-topics.ts'
import { changeWebhook, makeWebhook, removeWebhook, rotateSecret } from '../../staff/webhooks/webhooks.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { CheckGroup } from '../../ui/form/check-group.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { toast } from '../../ui/toast/toasts.ts'
import { ShownOnce } from './shown-once.tsx'

const hostOf = ({ url }: Pick<Webhook, 'url'>) => new URL(url).host

type WebhookFieldsProps = {
  label: string
  action: string
  known?: Pick<Webhook, 'url' | 'topics'>
  send: (form: WebhookForm) => Promise<void>
  onClose: () => void
}

const WebhookFields = ({ label, action, known, send, onClose }: WebhookFieldsProps) => {
  const topics = WEBHOOK_TOPICS.filter((topic) => known?.topics.includes(topic))
  const form = useStaffForm(webhookForm, { defaultValues: { url: known?.url ?? '', topics }, send })
  return (
    <DialogForm label={label} action={action} form={form} onClose={onClose}>
      <TextField
        id="webhook-url"
        label="Address"
        type="url"
        autoComplete="off"
        hint="Where your program listens, by HTTPS. It gets the personal data of leads and chats."
        {...form.field('url')}
      />
      <CheckGroup
        id="webhook-topics"
        label="What it is told of"
        boxes={WEBHOOK_TOPICS.map((topic) => ({
          id: `webhook-${topic.replace('.', '-')}`,
          label: TOPIC_NAMES[topic],
          value: topic,
        }))}
        {...form.field('topics')}
      />
    </DialogForm>
  )
}

const Secret = ({ secret, onClose }: { secret: string; onClose: () => void }) => (
  <ShownOnce
    id="webhook-secret"
    label="Secret"
    value={secret}
    hint="Give it to your program now: it is not shown again. Messages are signed by it, as standardwebhooks.com says."
    onClose={onClose}
  />
)

export const AddWebhook = ({ onClose }: { onClose: () => void }) => {
  const [secret, setSecret] = useState<string>()
  const send = async (form: WebhookForm) => setSecret(await makeWebhook(form))
  return (
    <Dialog title={secret === undefined ? 'Add a webhook' : 'The webhook’s secret'} onClose={onClose}>
      {secret === undefined ? (
        <WebhookFields label="Add a webhook" action="Add webhook" send={send} onClose={onClose} />
      ) : (
        <Secret secret={secret} onClose={onClose} />
      )}
    </Dialog>
  )
}

export const EditWebhook = ({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) => {
  const send = async (form: WebhookForm) => {
    await changeWebhook(webhook.id, form)
    onClose()
  }
  return (
    <Dialog title="Edit the webhook" onClose={onClose}>
      <WebhookFields label="Edit the webhook" action="Save" known={webhook} send={send} onClose={onClose} />
    </Dialog>
  )
}

/** Asks before a webhook gets a new secret, and shows it once. */
export const RotateSecret = ({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) => {
  const [secret, setSecret] = useState<string>()
  const form = useStaffForm(v.object({}), { send: async () => setSecret(await rotateSecret(webhook.id)) })
  const title = `New secret for ${hostOf(webhook)}?`
  return secret === undefined ? (
    <FormDialog title={title} action="Make secret" form={form} isFinal onClose={onClose}>
      <p>For 24 hours messages are signed by the old secret too, so that your program can change it in peace.</p>
    </FormDialog>
  ) : (
    <Dialog title="The webhook’s secret" onClose={onClose}>
      <Secret secret={secret} onClose={onClose} />
    </Dialog>
  )
}

/** Asks by name before a webhook is removed for good. */
export const RemoveWebhook = ({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) => {
  const host = hostOf(webhook)
  const remove = async () => {
    await removeWebhook(webhook.id)
    toast({ title: 'Webhook removed', description: `${host} no longer receives events.` })
  }
  return (
    <FinalDialog title={`Remove ${host}?`} action="Remove webhook" act={remove} onClose={onClose}>
      <p>Its secret is destroyed, and what still waits is not sent. The list of deliveries stays.</p>
    </FinalDialog>
  )
}
