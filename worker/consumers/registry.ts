/** The readers of the log that a worker runs: the views, and the consumers that act on events. */
import type { ConsumerKey } from '../../events/log/checkpoints.ts'
import { ERASURES } from '../../events/log/erasures.ts'
import { eraseKeys, KEY_ERASER, prepareKeyEraser } from '../../events/log/key-eraser.ts'
import { DISPATCH } from '../../events/projections/deliveries.ts'
import type { ReaderQueue } from '../../events/projections/read-jobs.ts'
import { CHAT_ANSWERS, COPIES, FAILED_ANSWERS, WEBHOOKS } from '../../events/projections/readers.ts'
import { prepareChatAnswers, stopClocks } from '../chat/chat-answers.ts'
import type { Chatting } from '../chat/chatting.ts'
import type { Config } from '../config.ts'
import type { Connections } from '../connections.ts'
import { dispatch, prepareDispatch } from '../email/dispatch.ts'
import type { EmailLanes } from '../email/lanes.ts'
import { carryOutErasures, prepareErasures } from '../erasure/erasures.ts'
import { askForCopies, prepareCopies } from '../leads/copies.ts'
import { prepareFailedAnswers, settleAnswers } from '../leads/failed-answers.ts'
import type { Metrics } from '../metrics.ts'
import { PUSH_CONSUMERS, preparePushes, pushToDevices } from '../push/pushes.ts'
import { prepareWebhooks, type WebhookWork } from '../webhooks/work.ts'
import { openReader, type Reading } from './consumer.ts'
import type { PassOver } from './pass-over.ts'
import { openViews, prepareProjections } from './views.ts'

/** Makes the checkpoints and tables of all readers, unless they are there. */
export const prepareReaders = async ({ sql, logger }: Pick<Connections, 'sql' | 'logger'>): Promise<void> => {
  await prepareProjections(sql)
  await prepareDispatch(sql)
  await prepareErasures(sql)
  await prepareKeyEraser(sql)
  await prepareCopies(sql)
  await prepareChatAnswers(sql)
  await prepareFailedAnswers(sql)
  await preparePushes({ sql, logger })
  await prepareWebhooks(sql)
}

/** Opens all readers. `views` are those among them that can be rebuilt. */
export const openReaders = ({
  reading,
  chatting,
  config,
  lanes,
  queue,
  webhooks,
  metrics,
  passOver,
}: {
  reading: Reading
  chatting: Chatting & Pick<Connections, 'logger'>
  config: Config
  lanes: EmailLanes
  queue: ReaderQueue
  webhooks: WebhookWork
  metrics: Metrics
  passOver: PassOver
}) => {
  const { sql, log, bus, logger } = chatting
  const views = openViews({ reading, bus, queue, databaseUrl: config.directUrl, batches: metrics.batches })
  const openActing = (key: ConsumerKey, step: (onAlive: () => void) => Promise<boolean>) =>
    openReader(reading, key, async (_, onAlive) => ((await step(onAlive)) ? 'more' : 'done'))
  const acting = [
    openActing(DISPATCH, () => dispatch(sql, lanes)),
    openActing(ERASURES, () => carryOutErasures(chatting)),
    openActing(KEY_ERASER, () => eraseKeys(sql)),
    openActing(COPIES, () => askForCopies({ sql, log, isOn: config.smtpUrl !== undefined })),
    openActing(CHAT_ANSWERS, () => stopClocks({ sql, log, passOver })),
    openActing(FAILED_ANSWERS, () => settleAnswers({ sql, log, passOver })),
    ...PUSH_CONSUMERS.map((consumer) =>
      openActing(consumer, (onAlive) => pushToDevices({ sql, logger, config }, consumer, { onAlive })),
    ),
    openActing(WEBHOOKS, webhooks.note),
  ]
  return { views, readers: [...views.map(({ reader }) => reader), ...acting] }
}
