/**
 * A worker process. Its jobs run on BullMQ.
 *
 * After a commit, an API node adds one job for each consumer of the log that handles what was stored: the views, the
 * email dispatcher, erasures, copies. Consumers that take in much at once are woken less often (`wakeEveryMs`). Of each
 * consumer at most one job runs and one waits. A job reads batches from the consumer's checkpoint. A view's change and
 * its checkpoint are one transaction.
 *
 * A schedule wakes all consumers each second. Each worker also looks in Postgres by itself and reads on where no job
 * came (consumers/standby.ts). So views go on while Redis is away, and a lost job costs seconds.
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
 * there, ends its worker with status 1 and a line that says why, so that it is started again (consumers/retry-policy.ts).
 */

import process from 'node:process'
import type { Logger } from 'pino'
import { openAppender } from '../events/log/append.ts'
import { isLate, withDeadline } from '../events/log/deadline.ts'
import { noteHead, RestoredError } from '../events/log/home.ts'
import { removeOldImportFiles } from '../events/log/lead-imports.ts'
import { followSettings } from '../events/log/live-settings.ts'
import { surviveLostConnections } from '../events/log/lost-connections.ts'
import { createLogger } from '../events/process/logger.ts'
import { onShutdown } from '../events/process/shutdown.ts'
import { prepareConsumers } from '../events/projections/registry.ts'
import { openReaderQueue, openWaker, TICK_JOB } from '../events/projections/wake-ups.ts'
import { alertStaffOfChats } from './chat/chat-alerts.ts'
import type { Config } from './config.ts'
import { assertStores, type Connections, openConnections } from './connections.ts'
import { openMonitor } from './consumers/monitor.ts'
import { openConsumers } from './consumers/open-consumers.ts'
import { openPassOver, type PassOver } from './consumers/pass-over.ts'
import { startReaderJobs } from './consumers/reader-jobs.ts'
import { PATIENCE_MS } from './consumers/retry-policy.ts'
import { keepSchedules } from './consumers/schedules.ts'
import { startStandby } from './consumers/standby.ts'
import { openUpkeepQueue, type Sweep, startSweeps } from './consumers/sweeps.ts'
import type { Forwarding } from './email/forward.ts'
import { openEmailLanes } from './email/lanes.ts'
import { REQUEUE_EVERY_MS, requeueEmail } from './email/requeue.ts'
import { startSender } from './email/sender.ts'
import { alertStaff } from './leads/alerts.ts'
import { carryOutImports } from './leads/imports.ts'
import { createMetrics } from './metrics.ts'
import { repairPushKeys } from './push/pushes.ts'
import { type UpkeepPace, upkeepSweeps } from './upkeep.ts'
import { openWebhookWork } from './webhooks/work.ts'

const TICK_EVERY_MS = 1_000
const ALERTS_EVERY_MS = 15_000
const CHAT_ALERTS_EVERY_MS = 5_000
const IMPORTS_EVERY_MS = 1_000
const UNUSED_EVERY_MS = 60_000
const SHUTDOWN_DEADLINE_MS = 9_000
/** A send under way should end, or it is done twice; there is a little time left after it. */
const FINISH_DEADLINE_MS = 7_000

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

/** What a worker's parts work with, and the queues to which they add. */
const openWork = async (config: Config, connections: Connections) => {
  const { sql, keys, bus, failFast, logger, ...redis } = connections
  const readerQueue = openReaderQueue(failFast, redis)
  const waker = openWaker(readerQueue)
  const log = openAppender(config.databaseUrl, {
    durable: sql.durable,
    keys,
    onCommit: (types) => waker.wake(types),
  })
  const settings = await followSettings({
    sql,
    bus,
    onError: (error) => logger.error({ err: error }, 'the settings could not be read'),
  })
  return {
    log,
    settings,
    readerQueue,
    lanes: openEmailLanes(config, failFast, redis),
    upkeepQueue: openUpkeepQueue(failFast, redis),
    webhooks: openWebhookWork({ sql, log, logger, config }, connections),
  }
}

const alertSweeps = ({ sql, log, settings, config }: Forwarding, passOver: PassOver): Sweep[] => [
  {
    name: 'lead-alerts',
    everyMs: ALERTS_EVERY_MS,
    run: () => {
      const { supportHours: hours } = settings.current
      return alertStaff({ sql, log, hours, canEmail: config.smtpUrl !== undefined, passOver }, { now: new Date() })
    },
  },
  {
    name: 'chat-alerts',
    everyMs: CHAT_ALERTS_EVERY_MS,
    run: () => alertStaffOfChats({ sql, log, hours: settings.current.supportHours, passOver }, { now: new Date() }),
  },
]

const importSweeps = ({ sql, log }: Forwarding, signal: AbortSignal): Sweep[] => [
  { name: 'lead-imports', everyMs: IMPORTS_EVERY_MS, run: () => carryOutImports({ sql, log, signal }) },
  { name: 'import-files', everyMs: UNUSED_EVERY_MS, run: () => removeOldImportFiles(sql) },
]

/** Ends this worker, to be started again: `line` goes to stderr, `reason` into the log. */
type GiveUp = (line: string, reason: string) => void

/** Every worker has to learn by itself that the log was set back to a backup under it. */
const watchHead = async ({ sql, failFast }: Connections, { logger, giveUp }: { logger: Logger; giveUp: GiveUp }) => {
  try {
    await noteHead(sql, failFast)
  } catch (error) {
    if (error instanceof RestoredError) giveUp(error.message, 'the log was set back to a backup')
    else logger.error({ err: error }, 'the head of the log could not be noted')
  }
}

/**
 * Runs one worker until it is asked to stop: the views, the dispatcher, and the sending of email. Any number may run. A
 * consumer of the log that cannot go on for `patienceMs` ends it with status 1.
 */
export const runWorker = async (
  config: Config,
  { patienceMs = PATIENCE_MS, ...pace }: WorkerPace = {},
): Promise<void> => {
  surviveLostConnections()
  const logger = createLogger({ level: config.logLevel, base: { worker: process.pid } })
  const connections = await openConnections(config, logger)
  const { sql, bus, failFast, patient, prefix, onError } = connections
  const { log, settings, readerQueue, lanes, upkeepQueue, webhooks } = await openWork(config, connections)
  const forwarding = { sql, log, logger, config, settings }
  const chatting = { sql, log, bus, logger }
  await prepareConsumers(sql)
  await repairPushKeys(connections)

  const stopping = new AbortController()
  const { signal } = stopping
  const metrics = createMetrics()
  const monitored = { sql, redis: failFast, prefix, metrics, isStopping: () => signal.aborted }
  const monitor = config.port > 0 ? await openMonitor(config.port, monitored) : undefined
  const giveUp: GiveUp = (line, reason) => {
    process.stderr.write(`${line}\n`)
    end(reason, 1)
  }
  const reading = {
    sql,
    logger,
    signal,
    patienceMs,
    areStoresUp: () => isSettled(assertStores(config)),
    giveUp: (line: string) =>
      giveUp(`The worker ends, to be started again: ${line}`, 'a reader of the log cannot go on'),
  }
  const passOver = openPassOver({ logger, onFirst: () => metrics.unreadable.inc() })
  const queue = readerQueue
  const { views, readers } = openConsumers({ reading, chatting, config, lanes, queue, webhooks, metrics, passOver })
  const rewriting = { sql, logger, directUrl: config.directUrl, keysDatabaseUrl: config.keysDatabaseUrl }
  const sweeps: Sweep[] = [
    ...upkeepSweeps({ chatting, rewriting, signal }, pace),
    ...alertSweeps(forwarding, passOver),
    ...importSweeps(forwarding, signal),
    ...webhooks.sweeps,
    { name: 'requeue', everyMs: REQUEUE_EVERY_MS, run: () => requeueEmail(forwarding, lanes) },
  ]

  const scheduled = sweeps.map(({ name, everyMs }) => ({ queue: upkeepQueue, name, everyMs }))
  const schedules = keepSchedules([{ queue: readerQueue, name: TICK_JOB, everyMs: TICK_EVERY_MS }, ...scheduled], {
    logger,
    onLook: () => watchHead(connections, { logger, giveUp }),
  })
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
    await connections.close()
  })

  if (!config.secretKeys) {
    logger.warn('SESSION_SECRET is not set: emails about unread answers go out without a link to the chat')
  }
  logger.info('working')
  process.send?.({ type: 'ready' })
}
