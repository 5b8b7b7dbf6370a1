import type { Logger } from 'pino'
import type { Bus } from '../events/log/bus.ts'
import type { Sql } from '../events/log/connection.ts'
import { noteHalt } from '../events/log/consumers.ts'
import { runWith, systemContext } from '../events/log/context.ts'
import { type Follower, follow } from '../events/log/follow.ts'

/** What consumers of the log work with. */
export type Consuming = { sql: Sql; bus: Bus; logger: Logger }

/** Says that a consumer goes no further in this worker: in its log, and beside the checkpoint for everybody else to see. */
export const halt = ({ sql, logger }: Pick<Consuming, 'sql' | 'logger'>, consumer: string, error: Error): void => {
  logger.fatal({ err: error, consumer }, 'consumer halted')
  noteHalt(sql, consumer, error.message).catch((failure) =>
    logger.error({ err: failure, consumer }, 'the halt could not be noted'),
  )
}

/** Keeps a consumer of the log going (`follow`), each step in a context of its own, and tells of what stops it. */
export const consume = (consuming: Consuming, consumer: string, step: () => Promise<boolean>): Follower => {
  let context = systemContext(consumer)
  const stepInContext = () => {
    context = systemContext(consumer)
    return runWith(context, step)
  }
  const tell = (error: unknown) => consuming.logger.error({ err: error, consumer }, 'consumer failed, trying again')
  return follow(consuming.bus, stepInContext, {
    onError: (error) => runWith(context, () => tell(error)),
    onHalt: (error) => runWith(context, () => halt(consuming, consumer, error)),
  })
}
