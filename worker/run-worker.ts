import process from 'node:process'
import type { Logger } from 'pino'
import { prepareConsumers } from '../events/consumers/registry.ts'
import { openWaker, openWorkQueue } from '../events/consumers/wake-ups.ts'
import { openAppender } from '../events/log/append.ts'
import { createLogger } from '../events/process/logger.ts'
import { onShutdown } from '../events/process/shutdown.ts'
import { noteHead, RestoredError } from '../events/restore/log-binding.ts'
import { followSettings } from '../events/settings/store/live-settings.ts'
import { isTimeout, withDeadline } from '../events/stores/postgres/deadline.ts'
import { surviveLostConnections } from '../events/stores/postgres/pool.ts'
import { EXIT_AFTER_MS } from './consumers/consumer-retry.ts'
import { openMonitor } from './consumers/monitor.ts'
import { openPassOver } from './consumers/pass-over.ts'
import { WorkLoop } from './consumers/work-loop.ts'
import { warmUp } from './contracts/signed-copies.ts'
import { followServer } from './email/email-sweeps.ts'
import { startSender } from './email/lane-workers.ts'
import { openEmailLanes } from './email/lanes.ts'
import { openConsumers } from './open-consumers.ts'
import type { Config } from './process/config.ts'
import { assertStores, type Connections, openConnections } from './process/connections.ts'
import { createMetrics } from './process/metrics.ts'
import { repairPushKeys } from './push/pushes.ts'
import { openSweeps, type UpkeepPace } from './sweeps.ts'
import { openWebhookWork } from './webhooks/work.ts'

const SHUTDOWN_DEADLINE_MS = 9_000
/** A send in progress should end, or it is done twice; a little time is left after it. */
const FINISH_DEADLINE_MS = 7_000

/** A new worker first does the work that has waited for it. */
const WARM_UP_AFTER_MS = 10_000

const isSettled = (work: Promise<unknown>) =>
  work.then(
    () => true,
    () => false,
  )

/**
 * Gives work in progress some time to end. BullMQ's close() can hang without Redis, and a consumer's step without
 * Postgres: another worker begins unfinished work again.
 */
const letFinish = async (work: Promise<unknown>): Promise<void> => {
  await withDeadline(work, { deadlineMs: FINISH_DEADLINE_MS }).catch((error: unknown) => {
    if (!isTimeout(error)) throw error
  })
}

/** How long a worker waits for things, in milliseconds; tests wait less. */
export type WorkerPace = UpkeepPace & { exitAfterMs?: number }

/** Ends this worker, to be started again: `line` goes to stderr, `reason` into the log. */
type Exit = (line: string, reason: string) => void

/** Every worker has to learn by itself that the log was set back to a backup under it. */
const watchHead = async ({ sql, failFast }: Connections, { logger, exit }: { logger: Logger; exit: Exit }) => {
  try {
    await noteHead(sql, failFast)
  } catch (error) {
    if (error instanceof RestoredError) exit(error.message, 'the log was set back to a backup')
    else logger.error({ err: error }, 'the head of the log could not be recorded')
  }
}

/**
 * Runs one worker until it is asked to stop: its parts are opened in order and closed in reverse. Any number of workers
 * may run. A consumer of the log that fails or hangs for `exitAfterMs`, while Postgres and Redis are there, ends its
 * worker with status 1, so that it is started again.
 */
export const runWorker = async (
  config: Config,
  { exitAfterMs = EXIT_AFTER_MS, ...pace }: WorkerPace = {},
): Promise<void> => {
  surviveLostConnections()
  const logger = createLogger({ level: config.logLevel, base: { worker: process.pid } })
  const stopping = new AbortController()
  const { signal } = stopping
  const parts = new AsyncDisposableStack()
  const connections = parts.adopt(await openConnections(config, logger), ({ close }) => close())
  const { sql, keys, bus, failFast, retrying, ...redis } = connections
  await prepareConsumers(sql)
  await repairPushKeys(connections)

  const metrics = createMetrics()
  if (config.port > 0) {
    const monitored = { sql, redis: failFast, prefix: redis.prefix, metrics, isStopping: () => signal.aborted }
    parts.adopt(await openMonitor(config.port, monitored), ({ close }) => close())
  }

  const settings = parts.adopt(
    await followSettings({
      sql,
      bus,
      onError: (error) => logger.error({ err: error }, 'the settings could not be read'),
    }),
    ({ stop }) => stop(),
  )

  const end = onShutdown(SHUTDOWN_DEADLINE_MS, async (reason) => {
    logger.info({ reason }, 'stopping')
    stopping.abort()
    await parts.disposeAsync()
  })
  const exit: Exit = (line, reason) => {
    process.stderr.write(`${line}\n`)
    end(reason, 1)
  }

  const workQueue = openWorkQueue(failFast, redis)
  const waker = openWaker(workQueue)
  const log = parts.adopt(
    openAppender(config.databaseUrl, { durable: sql.durable, keys, onCommit: (types) => waker.wake(types) }),
    ({ close }) => close(),
  )

  const delivering = { sql, log, logger, config, settings }
  const lanes = openEmailLanes(delivering, failFast, redis)
  const webhooks = openWebhookWork(delivering, connections)
  const chatting = { sql, log, bus, logger }
  const passOver = openPassOver({ logger, onFirst: () => metrics.unreadable.inc() })
  const consuming = {
    sql,
    logger,
    signal,
    exitAfterMs,
    areStoresUp: () => isSettled(assertStores(config)),
    exit: (line: string) =>
      exit(`The worker ends, to be started again: ${line}`, 'a consumer of the log makes no progress'),
  }
  const consumers = openConsumers({ consuming, chatting, config, settings, lanes, webhooks, metrics, passOver })
  const rewriting = { sql, logger, directUrl: config.directUrl, keysDatabaseUrl: config.keysDatabaseUrl }
  const sweeps = openSweeps({ delivering, chatting, rewriting, lanes, webhooks, passOver, signal }, pace)
  const onRedis = () => watchHead(connections, { logger, exit })
  const loop = new WorkLoop({ sql, logger, consumers, sweeps, queue: workQueue, onRedis }, retrying, redis)
  parts.defer(followServer(delivering, lanes))
  const sender = startSender(delivering, lanes, retrying, redis.prefix, metrics.attempts)
  const webhookSender = webhooks.start()
  parts.defer(() => {
    const queues = [lanes, workQueue, webhooks]
    const ends = [loop.stop(), sender.close(), webhookSender.close()]
    return letFinish(Promise.all(ends).then(() => Promise.all(queues.map((each) => each.close()))))
  })

  if (!config.signingKeys) {
    logger.warn('SESSION_SECRET is not set: emails about unread answers go out without a link to the chat')
  }
  const warming = setTimeout(() => {
    warmUp(config).catch((error) => logger.error({ err: error }, 'signed copies cannot be rendered'))
  }, WARM_UP_AFTER_MS).unref()
  parts.defer(() => clearTimeout(warming))
  logger.info('working')
  process.send?.({ type: 'ready' })
}
