import { contextCausedBy, runWith, systemContext } from '../../events/log/context.ts'
import { readEvent } from '../../events/log/read.ts'
import { giveTurns } from '../../events/projections/email-turns.ts'
import { type LeftOutcome, leftOutcomes, putOutcomeBack } from '../../events/projections/left-outcomes.ts'
import { readyDeliveries } from '../../events/projections/ready-deliveries.ts'
import { FORWARDING, type Forwarding, logOutcome } from './forward.ts'
import { type EmailLanes, LANES, recipientsOf } from './lanes.ts'

/** How often `requeueEmail` runs; what gets its turn in a sweep lasts until the next. */
export const REQUEUE_EVERY_MS = 15_000

const logLeft = async (forwarding: Forwarding, { eventId, stream, outcome }: LeftOutcome) => {
  const event = await readEvent(forwarding.sql, eventId)
  const context = event ? contextCausedBy(event, FORWARDING) : systemContext(FORWARDING)
  await runWith(context, () => logOutcome(forwarding, eventId, stream, outcome))
}

/** Appends the outcomes that a worker recorded and then died with. One that cannot be appended waits for its next turn. */
export const logLeftOutcomes = async (forwarding: Forwarding): Promise<void> => {
  const { sql, logger } = forwarding
  for (const left of await leftOutcomes(sql)) {
    try {
      await logLeft(forwarding, left)
    } catch (error) {
      logger.error({ eventId: left.eventId, err: error }, 'the outcome of an email could not be appended')
      await putOutcomeBack(sql, left.eventId)
    }
  }
}

/** What has its turn in each lane, so that contracts hold up nothing else for long. */
const turns = async ({ sql, config }: Forwarding, { perShare }: EmailLanes) => {
  const ofLanes = LANES.map((lane) => {
    const { perMinute } = config.emailLanes[lane]
    return giveTurns(sql, { recipients: recipientsOf(lane, config), perMinute, perShare, everyMs: REQUEUE_EVERY_MS })
  })
  return (await Promise.all(ofLanes)).flat()
}

/** Queues again what is due: its jobs may have been lost with Redis, or removed by hand. Some of it gets a turn. */
export const requeueEmail = async (forwarding: Forwarding, lanes: EmailLanes): Promise<void> => {
  const { sql, logger } = forwarding
  try {
    await lanes.add(await readyDeliveries(sql, lanes))
    await lanes.add(await turns(forwarding, lanes))
  } catch (error) {
    logger.error({ err: error }, 'deliveries could not be queued again')
  }
  try {
    await logLeftOutcomes(forwarding)
  } catch (error) {
    logger.error({ err: error }, 'left outcomes of emails could not be read')
  }
}
