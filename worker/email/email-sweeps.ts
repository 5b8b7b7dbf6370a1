import { readyDeliveries } from '../../events/email/store/ready-deliveries.ts'
import { type LeftOutcome, leftOutcomes, putOutcomeBack } from '../../events/email/store/unlogged-outcomes.ts'
import { readEvent } from '../../events/log/read.ts'
import { contextCausedBy, runWith, systemContext } from '../../events/process/context.ts'
import type { Sweep } from '../consumers/work-loop.ts'
import { DELIVERY_ACTOR, type Delivering, logOutcome } from './deliver.ts'
import { type EmailLanes, LANES, recipientsOf } from './lanes.ts'
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
const servedNext = async ({ sql, config }: Delivering, { perShare }: EmailLanes) => {
  const ofLanes = LANES.map((lane) => {
    const { perMinute } = config.emailLanes[lane]
    return reserveTurns(sql, { recipients: recipientsOf(lane, config), perMinute, perShare, everyMs: REQUEUE_EVERY_MS })
  })
  return (await Promise.all(ofLanes)).flat()
}

/** Queues all emails that are due: their jobs may have been lost with Redis, or removed by hand. Some get a turn. */
export const requeueEmail = async (delivering: Delivering, lanes: EmailLanes): Promise<void> => {
  const { sql, logger } = delivering
  try {
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
