/**
 * A worker process. Its jobs run on BullMQ.
 *
 * After a commit, an API node adds one job for each consumer of the log that handles what was stored: the views, the
 * email dispatcher, erasures, copies. Consumers that take in much at once are woken less often (`wakeEveryMs`). Of each
 * consumer at most one job runs and one waits. A job reads batches from the consumer's checkpoint. A view's change and
 * its checkpoint are one transaction.
 *
 * A schedule wakes all consumers each second. Each worker also looks in Postgres by itself and reads on where no job
 * came (standby.ts). So views go on while Redis is away, and a lost job costs seconds.
 *
 * Rebuilds are jobs with progress. If a worker dies, another worker begins its rebuild again. Nobody ever reads a
 * half-filled table.
 *
 * Webhooks have a queue of their own (events/webhook.ts).
 *
 * Ended chats, unread answers, expiry, old tables and email that has to be queued again are schedules in the queue
 * `upkeep`. One worker does each of them; two may do it at once. Without Redis each worker goes by its own clock.
 *
 * What fails is tried again, later each time. A consumer that fails or hangs for 5 minutes, while Postgres and Redis are
 * there, ends its worker with status 1 and a line that says why, so that it is started again (patience.ts).
 */

import process from 'node:process'
import { openAppender } from '../events/log/append.ts'
import { openBus } from '../events/log/bus.ts'
import type { ConsumerKey } from '../events/log/checkpoints.ts'
import { connect } from '../events/log/connection.ts'
import { isLate, withDeadline } from '../events/log/deadline.ts'
import { ERASURES } from '../events/log/erasures.ts'
import { assertServable, noteHead, RestoredError } from '../events/log/home.ts'
import { eraseKeys, KEY_ERASER, prepareKeyEraser } from '../events/log/key-eraser.ts'
import { removeOldImportFiles } from '../events/log/lead-imports.ts'
import { followSettings } from '../events/log/live-settings.ts'
import { surviveLostConnections } from '../events/log/lost-connections.ts'
import { assertKeysAreHere, openKeys } from '../events/log/open-keys.ts'
import { redisPrefix } from '../events/log/prefix.ts'
import { assertDirect, assertPostgres, assertRedis, findRedis } from '../events/log/reach.ts'
import { readHead } from '../events/log/read.ts'
import { connectRedis } from '../events/log/redis.ts'
import { checkSchema, SCHEMA_WAIT_MS } from '../events/log/schema.ts'
import { createLogger } from '../events/process/logger.ts'
import { onShutdown } from '../events/process/shutdown.ts'
import { DISPATCH } from '../events/projections/deliveries.ts'
import { openReaderQueue, openWaker, TICK_JOB } from '../events/projections/read-jobs.ts'
import { COPIES, PUSHES, WEBHOOKS } from '../events/projections/readers.ts'
import type { Config } from './config.ts'
import { askForCopies, prepareCopies } from './copies.ts'
import { dispatch, prepareDispatch } from './dispatch.ts'
import { openEmailLanes } from './email/lanes.ts'
import { REQUEUE_EVERY_MS, requeueEmail } from './email/requeue.ts'
import { startSender } from './email/sender.ts'
import { carryOutErasures, prepareErasures } from './erasures.ts'
import { alertStaff } from './lead-alerts.ts'
import { carryOutImports } from './lead-imports.ts'
import { createMetrics } from './metrics.ts'
import { openMonitor } from './monitor.ts'
import { PATIENCE_MS } from './patience.ts'
import { openViews, prepareProjections } from './project.ts'
import { preparePushes, pushToDevices } from './push/pushes.ts'
import { openReader, type Reading } from './reader.ts'
import { startReaderJobs } from './reader-jobs.ts'
import { keepSchedules } from './schedules.ts'
import { startStandby } from './standby.ts'
import { openUpkeepQueue, type Sweep, startSweeps } from './sweeps.ts'
import { type UpkeepPace, upkeepSweeps } from './upkeep.ts'
import { openWebhookWork, prepareWebhooks } from './webhooks/work.ts'

const POOL_CONNECTIONS = 6
const COMMAND_TIMEOUT_MS = 5_000
const TICK_EVERY_MS = 1_000
const ALERTS_EVERY_MS = 15_000
const IMPORTS_EVERY_MS = 1_000
const UNUSED_EVERY_MS = 60_000
const SHUTDOWN_DEADLINE_MS = 9_000
/** A send under way should end, or it is done twice; there is a little time left after it. */
const FINISH_DEADLINE_MS = 7_000

const assertDatabases = ({ databaseUrl, directUrl, keysDatabaseUrl }: Config) =>
  Promise.all([
    assertPostgres({ databaseUrl, directUrl }),
    keysDatabaseUrl !== undefined && assertDirect('KEYS_DATABASE_URL', keysDatabaseUrl),
  ])

const assertStores = (config: Config) => Promise.all([assertDatabases(config), assertRedis(config.redisUrl)])

const isSettled = (work: Promise<unknown>) =>
  work.then(
    () => true,
    () => false,
  )

/**
 * Gives what is under way some time to end. BullMQ's close() can hang without Redis, and a reader's step without Postgres:
 * what is left undone is begun again by another worker.
 */
const letFinish = (work: Promise<unknown>) =>
  withDeadline(work, { deadlineMs: FINISH_DEADLINE_MS }).catch((error: unknown) => {
    if (!isLate(error)) throw error
  })

/** How long a worker waits for things, in milliseconds; tests wait less. */
export type WorkerPace = UpkeepPace & { patienceMs?: number }

/**
 * Runs one worker until it is asked to stop: the views, the dispatcher, and the sending of e-mail. Any number may run. A
 * consumer of the log that cannot go on for `patienceMs` ends it with status 1.
 */
export const runWorker = async (
  config: Config,
  { patienceMs = PATIENCE_MS, ...pace }: WorkerPace = {},
): Promise<void> => {
  surviveLostConnections()
  const logger = createLogger({ level: config.logLevel, base: { worker: process.pid } })
  const [, away] = await Promise.all([assertDatabases(config), findRedis(config.redisUrl)])
  if (away !== undefined) logger.warn(away)
  for (const warning of await checkSchema(config.databaseUrl, { waitMs: SCHEMA_WAIT_MS })) logger.warn(warning)
  const keys = await openKeys(config)
  const sql = connect(config.databaseUrl, { max: POOL_CONNECTIONS, name: 'worker', keys })
  await assertServable(sql, { redisUrl: config.redisUrl, apart: keys.apart })
  await assertKeysAreHere(sql, keys)
  const { epoch } = await readHead(sql)
  const prefix = redisPrefix(epoch)
  const onError = (error: Error) => logger.warn({ err: error.message }, 'redis')
  const bus = openBus(config.redisUrl, { prefix, onError })
  const failFast = connectRedis(config.redisUrl, { maxRetriesPerRequest: 1, commandTimeout: COMMAND_TIMEOUT_MS })
  const patient = connectRedis(config.redisUrl, { maxRetriesPerRequest: null })
  failFast.on('error', onError)
  patient.on('error', onError)
  const readerQueue = openReaderQueue(failFast, { prefix, onError })
  const waker = openWaker(readerQueue)
  const log = openAppender(config.databaseUrl, {
    durable: sql.durable,
    keys,
    onCommit: (types) => waker.wake(types),
  })
  const lanes = openEmailLanes(config, failFast, { prefix, onError })
  const upkeepQueue = openUpkeepQueue(failFast, { prefix, onError })
  const settings = await followSettings({
    sql,
    bus,
    onError: (error) => logger.error({ err: error }, 'the settings could not be read'),
  })
  const forwarding = { sql, log, logger, config, settings }
  const chatting = { sql, log, bus, logger }
  const webhooks = openWebhookWork({ sql, log, logger, config }, { failFast, patient, prefix, onError })

  await prepareProjections(sql)
  await prepareDispatch(sql)
  await prepareErasures(sql)
  await prepareKeyEraser(sql)
  await prepareCopies(sql)
  await preparePushes({ sql, logger })
  await prepareWebhooks(sql)
  const stopping = new AbortController()
  const { signal } = stopping
  const metrics = createMetrics()
  const monitored = { sql, redis: failFast, prefix, metrics, isStopping: () => signal.aborted }
  const monitor = config.port > 0 ? await openMonitor(config.port, monitored) : undefined
  const reading: Reading = {
    sql,
    logger,
    signal,
    patienceMs,
    areStoresUp: () => isSettled(assertStores(config)),
    giveUp: (line) => {
      process.stderr.write(`The worker ends, to be started again: ${line}\n`)
      end('a reader of the log cannot go on', 1)
    },
  }
  const views = openViews({ reading, bus, queue: readerQueue, databaseUrl: config.directUrl, batches: metrics.batches })
  const openStepping = (key: ConsumerKey, step: (onAlive: () => void) => Promise<boolean>) =>
    openReader(reading, key, async (_, onAlive) => ((await step(onAlive)) ? 'more' : 'done'))
  const readers = [
    ...views.map(({ reader }) => reader),
    openStepping(DISPATCH, () => dispatch(sql, lanes)),
    openStepping(ERASURES, () => carryOutErasures(chatting)),
    openStepping(KEY_ERASER, () => eraseKeys(sql)),
    openStepping(COPIES, () => askForCopies({ sql, log, isOn: config.smtpUrl !== undefined })),
    openStepping(PUSHES, (onAlive) => pushToDevices({ sql, logger, config }, { onAlive })),
    openStepping(WEBHOOKS, webhooks.note),
  ]
  const sweeps: Sweep[] = [
    ...upkeepSweeps(
      {
        chatting,
        rewriting: { sql, logger, directUrl: config.directUrl, keysDatabaseUrl: config.keysDatabaseUrl },
        signal,
      },
      pace,
    ),
    {
      name: 'lead-alerts',
      everyMs: ALERTS_EVERY_MS,
      run: () => {
        const { supportHours: hours } = settings.current
        return alertStaff({ sql, log, hours, canEmail: config.smtpUrl !== undefined }, { now: new Date() })
      },
    },
    { name: 'lead-imports', everyMs: IMPORTS_EVERY_MS, run: () => carryOutImports({ sql, log, signal }) },
    { name: 'import-files', everyMs: UNUSED_EVERY_MS, run: () => removeOldImportFiles(sql) },
    ...webhooks.sweeps,
    { name: 'requeue', everyMs: REQUEUE_EVERY_MS, run: () => requeueEmail(forwarding, lanes) },
  ]

  /** Every worker has to learn by itself that the log was set back to a backup under it. */
  const watchHead = async () => {
    try {
      await noteHead(sql, failFast)
    } catch (error) {
      if (!(error instanceof RestoredError))
        return logger.error({ err: error }, 'the head of the log could not be noted')
      process.stderr.write(`${error.message}\n`)
      end('the log was set back to a backup', 1)
    }
  }
  const schedules = keepSchedules(
    [
      { queue: readerQueue, name: TICK_JOB, everyMs: TICK_EVERY_MS },
      ...sweeps.map(({ name, everyMs }) => ({ queue: upkeepQueue, name, everyMs })),
    ],
    { logger, onLook: watchHead },
  )
  const isRedisUp = () => schedules.isRedisUp
  const standby = startStandby({ sql, readers }, { isRedisUp })
  const jobs = startReaderJobs({ readers, views, queue: readerQueue, signal }, patient, { prefix, onError })
  const upkeep = startSweeps({ sweeps, logger, isRedisUp }, patient, { prefix, onError })
  const sender = startSender(forwarding, lanes, patient, prefix, metrics.attempts)
  const teller = webhooks.start()

  const end = onShutdown(SHUTDOWN_DEADLINE_MS, async (reason) => {
    logger.info({ reason }, 'stopping')
    stopping.abort()
    const ends = [standby.stop(), schedules.stop(), jobs.close(), upkeep.stop(), sender.close(), teller.close()]
    const queues = [lanes, readerQueue, upkeepQueue, webhooks]
    await letFinish(Promise.all(ends).then(() => Promise.all(queues.map((each) => each.close()))))
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
