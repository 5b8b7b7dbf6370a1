import { Link } from 'react-router'
import { pauseReason } from '../webhook-pause.ts'
import { useWebhooks } from '../webhooks.ts'
import { Alarm } from './banner.tsx'

/** Shows owners on every screen a webhook that was paused, unless an owner paused it; renders nothing otherwise. */
export const WebhookAlarm = () => {
  const { data: webhooks } = useWebhooks()
  const paused =
    webhooks?.find(({ isFailed }) => isFailed) ?? webhooks?.find(({ isPausedByRestore }) => isPausedByRestore)
  if (!paused) return null
  return (
    <Alarm title={`The webhook to ${new URL(paused.url).host} is paused`}>
      <p css={{ flex: '1 1 16rem' }}>It was paused because {pauseReason(paused)}. Events wait for up to 30 days.</p>
      <Link to="/admin-settings#webhooks">Look at webhooks</Link>
    </Alarm>
  )
}
