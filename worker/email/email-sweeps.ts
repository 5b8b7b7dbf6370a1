import { isDeepStrictEqual } from 'node:util'
import { releaseDeliveries, retryDeliveries } from '../../events/email/store/deliveries.ts'
import { readyDeliveries } from '../../events/email/store/ready-deliveries.ts'
import { type LeftOutcome, leftOutcomes, putOutcomeBack } from '../../events/email/store/unlogged-outcomes.ts'
import { readEvent } from '../../events/log/read.ts'
import { contextCausedBy, runWith, systemContext } from '../../events/process/context.ts'
import type { Sweep } from '../consumers/work-loop.ts'
import { DELIVERY_ACTOR, type Delivering, logOutcome } from './deliver.ts'
import { type EmailLanes, hasTransport, LANES, recipientsOf } from './lanes.ts'
import { reserveTurns } from './reserved-turns.ts'

/** How often `requeueEmail` runs; a turn that a sweep gives lasts until the next. */
const REQUEUE_EVERY_MS = 15_000

/** How often emails that have become due are looked for, and how far back: the rest is found by `requeueEmail`. */
const DUE_EVERY_MS = 1_000
const DUE_SINCE_MS = 5_000

const logLeft = async (delivering: Delivering, { eventId, stream, outcome }: LeftOutcome) => {
  const event = await readEvent(delivering.sql, eventId)
  const context = event ? contextCausedBy(event, DELIVERY_ACTOR) : systemContext(DELIVERY_ACTOR)
  await runWith(context, () => logOutcome(delivering, eventId, stream, outcome))
}

/** Appends the outcomes that a worker recorded and then died with. One that cannot be appended waits for its next turn. */
export const logLeftOutcomes = async (delivering: Delivering): Promise<void> => {
  const { sql, logger } = delivering
  for (const left of await leftOutcomes(sql)) {
    try {
      await logLeft(delivering, left)
    } catch (error) {
      logger.error({ eventId: left.eventId, err: error }, 'the outcome of an email could not be appended')
      await putOutcomeBack(sql, left.eventId)
    }
  }
}

/** The emails that have their turn in each lane, so that contracts do not delay others for long. */
const servedNext = async (delivering: Delivering, { perShare }: EmailLanes) => {
  const { sql, config } = delivering
  const ofLanes = LANES.map((lane) => {
    const { perMinute } = config.emailLanes[lane]
    return reserveTurns(sql, {
      recipients: recipientsOf(lane, delivering),
      perMinute,
      perShare,
      everyMs: REQUEUE_EVERY_MS,
    })
  })
  return (await Promise.all(ofLanes)).flat()
}

/** Makes the emails of the outbox due for which there is a way now. */
export const releaseOutbox = async (delivering: Delivering): Promise<void> => {
  const recipients = LANES.filter((lane) => hasTransport(lane, delivering)).flatMap((lane) =>
    recipientsOf(lane, delivering),
  )
  if (recipients.length > 0) await releaseDeliveries(delivering.sql, recipients)
}

/** Queues all emails that are due: their jobs may have been lost with Redis, or removed by hand. Some get a turn. */
export const requeueEmail = async (delivering: Delivering, lanes: EmailLanes): Promise<void> => {
  const { sql, logger } = delivering
  try {
    await releaseOutbox(delivering)
    await lanes.add(await readyDeliveries(sql, lanes))
    await lanes.add(await servedNext(delivering, lanes))
  } catch (error) {
    logger.error({ err: error }, 'deliveries could not be queued again')
  }
  try {
    await logLeftOutcomes(delivering)
  } catch (error) {
    logger.error({ err: error }, 'left outcomes of emails could not be read')
  }
}

/** Queues emails as they become due, such as those to be retried. */
const queueDue = async ({ sql }: Delivering, lanes: EmailLanes) =>
  lanes.add(await readyDeliveries(sql, { perShare: lanes.perShare, sinceMs: DUE_SINCE_MS }))

/** The sweeps that keep the lanes of email filled. */
export const emailSweeps = (delivering: Delivering, lanes: EmailLanes): Sweep[] => [
  { name: 'due-emails', everyMs: DUE_EVERY_MS, run: () => queueDue(delivering, lanes) },
  { name: 'requeue', everyMs: REQUEUE_EVERY_MS, run: () => requeueEmail(delivering, lanes) },
]

/**
 * Follows the mail server of the settings: once it changes, the emails that wait for one, or were refused by the last
 * one, go out. Should the worker die before that, sweeps find them later. Returns a function that stops this.
 */
export const followServer = (delivering: Delivering, lanes: EmailLanes): (() => void) => {
  const { sql, settings, logger } = delivering
  let known = settings.current.emailServer
  return settings.onChange(({ emailServer }) => {
    if (isDeepStrictEqual(emailServer, known)) return
    known = emailServer
    retryDeliveries(sql)
      .then(() => requeueEmail(delivering, lanes))
      .catch((error: unknown) => logger.error({ err: error }, 'emails could not be made due'))
  })
}
