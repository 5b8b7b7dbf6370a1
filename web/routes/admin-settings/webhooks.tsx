import { Link } from 'react-router'
import type { Webhook } from '../../../events/webhook/wire.ts'
import { dayInShort, dayOf, shortMomentOf } from '../../staff/day.ts'
import { countInWords } from '../../staff/email/emails.ts'
import { DialogButton } from '../../staff/forms/dialog-button.tsx'
import { Pending } from '../../staff/placeholder.tsx'
import { toastFailure } from '../../staff/requests/refusal.ts'
import { pauseReason } from '../../staff/webhooks/webhook-pause.ts'
import { topicsInWords } from '../../staff/webhooks/webhook-topics.ts'
import { changeWebhook, testWebhook, useWebhooks } from '../../staff/webhooks/webhooks.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { colour, panel, space, type } from '../../ui/theme.ts'
import { toast } from '../../ui/toast/toasts.ts'
import type { Section } from './use-settings-form.ts'
import { AddWebhook, EditWebhook, RemoveWebhook, RotateSecret } from './webhook-dialogs.tsx'

const stateOf = (webhook: Webhook) => {
  const reason = pauseReason(webhook)
  if (reason) return `Paused: ${reason}`
  if (webhook.isPaused) return 'Paused'
  return webhook.failingSince ? 'Failing' : undefined
}

const waitingInWords = ({ waiting, failingSince, isPaused }: Webhook) => {
  const since = failingSince && !isPaused ? [`nothing has arrived since ${shortMomentOf(failingSince)}`] : []
  const waits = waiting === 0 ? [] : [`${countInWords(waiting)} ${waiting === 1 ? 'waits' : 'wait'}`]
  return [...since, ...waits].map((part) => `, ${part}`).join('')
}

/** Runs an action on a webhook, and shows its result. */
const attempt = async (work: () => Promise<unknown>, done: { title: string; description: string }, failed: string) => {
  try {
    await work()
    toast({ ...done })
  } catch (error) {
    toastFailure(failed, error)
  }
}

const Row = ({ webhook }: { webhook: Webhook }) => {
  const { id, url, topics, madeBy, madeAt, isPaused, isPausedByRestore } = webhook
  const { host } = new URL(url)
  const state = stateOf(webhook)
  const setPaused = () =>
    attempt(
      () => changeWebhook(id, { isPaused: !isPaused }),
      isPaused
        ? { title: 'Webhook resumed', description: 'Waiting events are being sent.' }
        : { title: 'Webhook paused', description: 'Events wait for up to 30 days.' },
      'Nothing changed',
    )
  const sendTest = () =>
    attempt(
      () => testWebhook(id),
      { title: 'Test on its way', description: 'The list of deliveries shows its outcome.' },
      'No test was sent',
    )
  const dialogButton = (Form: typeof EditWebhook, words: string, label: string) => (
    <DialogButton look="quiet" aria-label={words} dialog={(close) => <Form webhook={webhook} onClose={close} />}>
      {label}
    </DialogButton>
  )
  return (
    <li css={{ display: 'grid', gap: space.snug, padding: space.base, ...panel }}>
      <div css={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        <p css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: space.tight, fontWeight: 600 }}>
          {url}
          {state && <Badge>{state}</Badge>}
        </p>
        <p css={{ fontSize: type.small }}>{topicsInWords(topics)}</p>
        {isPausedByRestore && (
          <p css={{ fontSize: type.small }}>
            A backup was restored, so this webhook was paused. Check that it is still wanted, then resume it.
          </p>
        )}
        <p css={{ color: colour.soft, fontSize: type.small }}>
          Added by {madeBy} on {dayInShort(dayOf(madeAt))}
          {waitingInWords(webhook)}. <Link to={`/admin-webhooks?webhook=${id}`}>See the log</Link>
        </p>
      </div>
      <div css={{ display: 'flex', flexWrap: 'wrap', gap: space.tight }}>
        <Button look="quiet" aria-label={`Send test to ${host}`} onClick={sendTest}>
          Send test
        </Button>
        <Button look="quiet" aria-label={`${isPaused ? 'Resume' : 'Pause'} ${host}`} onClick={setPaused}>
          {isPaused ? 'Resume' : 'Pause'}
        </Button>
        {dialogButton(EditWebhook, `Edit ${host}`, 'Edit')}
        {dialogButton(RotateSecret, `New secret for ${host}`, 'New secret')}
        {dialogButton(RemoveWebhook, `Remove ${host}`, 'Remove')}
      </div>
    </li>
  )
}

/** The webhooks that notify other programs of leads and chats, for owners to manage. */
export const Webhooks = () => {
  const { data: webhooks, error, mutate } = useWebhooks()
  return (
    <>
      <Pending what="webhooks" isLoading={!webhooks} error={error} retry={() => mutate()} />
      {webhooks?.length === 0 && <p css={{ color: colour.soft }}>No webhooks yet.</p>}
      {webhooks && webhooks.length > 0 && (
        <ul aria-label="Webhooks" css={{ display: 'grid', gap: space.snug }}>
          {webhooks.map((webhook) => (
            <Row key={webhook.id} webhook={webhook} />
          ))}
        </ul>
      )}
      {webhooks && (
        <DialogButton look="quiet" css={{ marginTop: space.base }} dialog={(stop) => <AddWebhook onClose={stop} />}>
          Add a webhook
        </DialogButton>
      )}
    </>
  )
}

export const WEBHOOKS: Section = {
  id: 'webhooks',
  intro: 'Send leads and chats to other programs as they happen.',
  Form: Webhooks,
  Shown: () => (
    <p>
      Only admins see them. You can see the <Link to="/admin-webhooks">webhook log</Link>.
    </p>
  ),
}
