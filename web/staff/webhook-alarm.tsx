import { Link } from 'react-router'
import { Alarm } from './alarm.tsx'
import { useWebhooks } from './webhooks.ts'

/** Tells owners on every screen of a webhook that was paused, but by nobody of them; nothing while all is well. */
export const WebhookAlarm = () => {
  const { webhooks } = useWebhooks()
  const paused =
    webhooks?.find(({ isFailed }) => isFailed) ?? webhooks?.find(({ isPausedByRestore }) => isPausedByRestore)
  if (!paused) return null
  return (
    <Alarm title={`The webhook to ${new URL(paused.url).host} is paused`}>
      <p css={{ flex: '1 1 16rem' }}>
        {paused.isFailed ? 'It took nothing for a day, or said that it is gone.' : 'A backup was restored.'} What
        happens meanwhile waits for up to 30 days.
      </p>
      <Link to="/admin-settings#webhooks">Look at webhooks</Link>
    </Alarm>
  )
}
