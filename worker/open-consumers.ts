/** The step that each consumer of the log takes in a worker: the views, and the consumers that act on events. */

import { ACTING_CONSUMERS } from '../events/consumers/acting-consumers.ts'
import { eraseKeys } from '../events/erasure/key-eraser.ts'
import type { LiveSettings } from '../events/settings/store/live-settings.ts'
import { stopClocks } from './chat/chat-answers.ts'
import type { Chatting } from './chat/chatting.ts'
import { Consumer, type Consuming } from './consumers/consumer.ts'
import type { PassOver } from './consumers/pass-over.ts'
import { openViews } from './consumers/views.ts'
import { makeSignedCopies } from './contracts/signed-copies.ts'
import { dispatch } from './email/dispatch.ts'
import type { EmailLanes } from './email/lanes.ts'
import { hasServer } from './email/ways.ts'
import { carryOutErasures } from './erasure/erasures.ts'
import { settleAnswers } from './leads/failed-answers.ts'
import { requestCopies } from './leads/visitor-copies.ts'
import type { Config } from './process/config.ts'
import type { Connections } from './process/connections.ts'
import type { Metrics } from './process/metrics.ts'
import { pushToDevices } from './push/pushes.ts'
import type { WebhookWork } from './webhooks/work.ts'

/** Takes the next step, and returns whether there may be more. It calls `onAlive` while it works. */
type Step = (onAlive: () => void) => Promise<boolean>

/** Opens all consumers. */
export const openConsumers = ({
  consuming,
  chatting,
  config,
  settings,
  lanes,
  webhooks,
  metrics,
  passOver,
}: {
  consuming: Consuming
  chatting: Chatting & Pick<Connections, 'logger'>
  config: Config
  settings: Pick<LiveSettings, 'current'>
  lanes: EmailLanes
  webhooks: WebhookWork
  metrics: Metrics
  passOver: PassOver
}): Consumer[] => {
  const { sql, log, bus, logger } = chatting
  const steps: Record<(typeof ACTING_CONSUMERS)[number]['name'], Step> = {
    dispatch: () => dispatch(sql, lanes),
    webhooks: webhooks.note,
    pushes: (onAlive) => pushToDevices({ sql, logger, config }, { onAlive }),
    erasures: () => carryOutErasures(chatting),
    'key-eraser': () => eraseKeys(sql),
    'signed-copies': () => makeSignedCopies({ sql, log, config, logger, passOver }),
    'visitor-copies': () => requestCopies({ sql, log, isOn: hasServer({ config, settings }) }),
    'chat-answers': () => stopClocks({ sql, log, passOver }),
    'failed-answers': () => settleAnswers({ sql, log, passOver }),
  }
  const views = openViews({ consuming, bus, databaseUrl: config.directUrl, batches: metrics.batches })
  const acting = ACTING_CONSUMERS.map(
    (consumer) =>
      new Consumer(consuming, consumer, async (_, onAlive) =>
        (await steps[consumer.name](onAlive)) ? 'more' : 'done',
      ),
  )
  return [...views, ...acting]
}
