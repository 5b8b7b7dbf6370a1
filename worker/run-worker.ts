import process from 'node:process'
import { openAppender } from '../events/log/append.ts'
import { openBus } from '../events/log/bus.ts'
import { connect } from '../events/log/connection.ts'
import { runWith, systemContext } from '../events/log/context.ts'
import { LOG_CHANNEL } from '../events/log/follow.ts'
import { FORGETTING, forget, prepareForgetting } from '../events/log/forget.ts'
import { assertServable, noteHead, RestoredError } from '../events/log/home.ts'
import { followSettings } from '../events/log/live-settings.ts'
import { surviveLostConnections } from '../events/log/lost-connections.ts'
import { assertKeysAreHere, openKeys } from '../events/log/open-keys.ts'
import { redisPrefix } from '../events/log/prefix.ts'
import { assertDirect, assertPostgres, assertRedis } from '../events/log/reach.ts'
import { readHead } from '../events/log/read.ts'
import { connectRedis } from '../events/log/redis.ts'
import { checkSchema, SCHEMA_WAIT_MS } from '../events/log/schema.ts'
import { createLogger } from '../events/logger.ts'
import { DISPATCH } from '../events/projections/deliveries.ts'
import { onShutdown } from '../events/shutdown.ts'
import { startChatRounds } from './chat/rounds.ts'
import type { Config } from './config.ts'
import { type Consuming, consume, PATIENCE_MS } from './consume.ts'
import { askForCopies, COPIES, prepareCopies } from './copies.ts'
import { dispatch, prepareDispatch } from './dispatch.ts'
import { openEmailLanes } from './email/lanes.ts'
import { requeueEmail } from './email/requeue.ts'
import { startSender } from './email/sender.ts'
import { createMetrics } from './metrics.ts'
import { openMonitor } from './monitor.ts'
import { prepareProjections, runProjections } from './project.ts'
import { startRewrites } from './rewrites.ts'
import { startUpkeep } from './upkeep.ts'

const POOL_CONNECTIONS = 6
const COMMAND_TIMEOUT_MS = 5_000
const REQUEUE_EVERY_MS = 15_000
const SHUTDOWN_DEADLINE_MS = 9_000
/** A send under way should end, or it is done twice; there is a little time left after it. */
const FINISH_DEADLINE_MS = 7_000

const assertStores = ({ databaseUrl, directUrl, redisUrl, keysDatabaseUrl }: Config) =>
  Promise.all([
    assertPostgres({ databaseUrl, directUrl }),
    assertRedis(redisUrl),
    keysDatabaseUrl !== undefined && assertDirect('KEYS_DATABASE_URL', keysDatabaseUrl),
  ])

const isSettled = (work: Promise<unknown>) =>
  work.then(
    () => true,
    () => false,
  )

/** BullMQ's close() can hang without Redis, a step of a follower without Postgres: what it leaves undone is begun anew. */
const withDeadline = (work: Promise<unknown>) =>
  Promise.race([work, new Promise((resolve) => setTimeout(resolve, FINISH_DEADLINE_MS).unref())])

/** How long a worker waits for things, in milliseconds; tests wait less. */
export type WorkerPace = {
  patienceMs?: number
  upkeepEveryMs?: number
  rewrites?: { afterMs: number; everyMs: number }
}

/**
 * Runs one worker until it is asked to stop: the views, the dispatcher, and the sending of e-mail. Any number may run. A
 * consumer of the log that cannot go on for `patienceMs` ends it with status 1.
 */
export const runWorker = async (
  config: Config,
  { patienceMs = PATIENCE_MS, upkeepEveryMs, rewrites }: WorkerPace = {},
): Promise<void> => {
  surviveLostConnections()
  const logger = createLogger({ level: config.logLevel, base: { worker: process.pid } })
  await assertStores(config)
  for (const warning of await checkSchema(config.databaseUrl, { waitMs: SCHEMA_WAIT_MS })) logger.warn(warning)
  const keys = await openKeys(config)
  const sql = connect(config.databaseUrl, { max: POOL_CONNECTIONS, name: 'worker', keys })
  await assertServable(sql, { redisUrl: config.redisUrl, apart: keys.apart })
  await assertKeysAreHere(sql, keys)
  const { epoch } = await readHead(sql)
  const prefix = redisPrefix(epoch)
  const onError = (error: Error) => logger.warn({ err: error.message }, 'redis')
  const bus = openBus(config.redisUrl, { prefix, onError })
  const log = openAppender(config.databaseUrl, {
    durable: sql.durable,
    keys,
    onCommit: (position) => {
      bus.publish(LOG_CHANNEL, String(position))
    },
  })
  const failFast = connectRedis(config.redisUrl, { maxRetriesPerRequest: 1, commandTimeout: COMMAND_TIMEOUT_MS })
  const patient = connectRedis(config.redisUrl, { maxRetriesPerRequest: null })
  failFast.on('error', onError)
  patient.on('error', onError)
  const lanes = openEmailLanes(config, failFast, { prefix, onError })
  const settings = await followSettings({
    sql,
    bus,
    onError: (error) => logger.error({ err: error }, 'the settings could not be read'),
  })
  const forwarding = { sql, log, logger, config, settings }

  await prepareProjections(sql)
  await prepareDispatch(sql)
  await prepareForgetting(sql)
  await prepareCopies(sql)
  const consuming: Consuming = {
    sql,
    bus,
    logger,
    patienceMs,
    areStoresUp: () => isSettled(assertStores(config)),
    giveUp: (line) => {
      process.stderr.write(`The worker ends, to be started again: ${line}\n`)
      end('a consumer of the log cannot go on', 1)
    },
  }
  const metrics = createMetrics()
  const followers = [
    runProjections(consuming, { databaseUrl: config.directUrl, batches: metrics.batches }),
    consume(consuming, DISPATCH, () => dispatch(sql, lanes)),
    consume(consuming, FORGETTING, () => forget(sql)),
    consume(consuming, COPIES, () => askForCopies({ sql, log, isOn: config.smtpUrl !== undefined })),
    startChatRounds({ sql, log, bus, logger }),
    startUpkeep({ sql, logger }, { everyMs: upkeepEveryMs }),
    startRewrites({ sql, logger, directUrl: config.directUrl, keysDatabaseUrl: config.keysDatabaseUrl }, rewrites),
  ]
  const sender = startSender(forwarding, lanes, patient, prefix, metrics.attempts)
  let isStopping = false
  const monitored = { sql, redis: failFast, prefix, metrics, isStopping: () => isStopping }
  const monitor = config.port > 0 ? await openMonitor(config.port, monitored) : undefined

  const requeue = async () => {
    try {
      await noteHead(sql, failFast)
    } catch (error) {
      if (error instanceof RestoredError) {
        process.stderr.write(`${error.message}\n`)
        end('the log was set back to a backup', 1)
        return
      }
      logger.error({ err: error }, 'the head of the log could not be noted')
    }
    await requeueEmail(forwarding, lanes)
  }
  const requeueing = setInterval(() => runWith(systemContext('requeue'), requeue), REQUEUE_EVERY_MS)

  const end = onShutdown(SHUTDOWN_DEADLINE_MS, async (reason) => {
    logger.info({ reason }, 'stopping')
    isStopping = true
    clearInterval(requeueing)
    const steps = followers.map((follower) => follower.stop())
    await withDeadline(Promise.all([...steps, sender.close(), lanes.close()]))
    await log.close()
    settings.stop()
    monitor?.close()
    bus.close()
    failFast.disconnect()
    patient.disconnect()
    await Promise.all([sql.end({ timeout: 1 }), keys.apart?.end({ timeout: 1 })])
  })

  if (!config.secretKeys) {
    logger.warn('SESSION_SECRET is not set: e-mails about unread answers go out without a link to the chat')
  }
  logger.info('working')
  process.send?.({ type: 'ready' })
}
