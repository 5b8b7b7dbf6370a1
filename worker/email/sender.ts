import { DelayedError, type Job, UnrecoverableError, Worker } from 'bullmq'
import { asConnection, JOB_METRICS, queuePrefix } from '../../events/log/queues.ts'
import type { RedisClient } from '../../events/log/redis.ts'
import { readyInShares } from '../../events/projections/ready-deliveries.ts'
import type { Metrics } from '../metrics.ts'
import { backoffMs } from './attempt.ts'
import { type Forwarded, type Forwarding, forward } from './forward.ts'
import { type EmailJob, type EmailLanes, LANES, type Lane, QUEUE_OF } from './lanes.ts'

const MINUTE_MS = 60_000

/** BullMQ keeps the message of an error in Redis, and a message can quote what people typed: it stays in the log. */
const forwardWithoutWords = async (forwarding: Forwarding, eventId: string, lane: Lane) => {
  try {
    return await forward(forwarding, eventId, lane)
  } catch {
    throw new Error('forwarding failed')
  }
}

/** What the deliveries say of an email, its job does: it waits, fails for staff to see, or is done. */
const follow = async (job: Job<EmailJob>, token: string | undefined, forwarded: Forwarded) => {
  switch (forwarded.next) {
    case 'done':
      return
    case 'later':
      await job.moveToDelayed(Date.now() + forwarded.afterMs, token)
      throw new DelayedError()
    case 'staff':
      throw new UnrecoverableError(`${forwarded.state}: it waits for staff`)
    default:
      forwarded satisfies never
  }
}

const startLane = (
  lane: Lane,
  {
    forwarding,
    lanes,
    redis,
    prefix,
    attempts,
  }: {
    forwarding: Forwarding
    lanes: EmailLanes
    redis: RedisClient
    prefix: string
    attempts: Metrics['attempts'] | undefined
  },
) => {
  const { sql, config, logger } = forwarding
  const { concurrency, perMinute } = config.emailLanes[lane]
  const hasTransport = lane === 'service' ? config.emailForwardUrl : config.smtpUrl

  const counted: Forwarding = { ...forwarding, countAttempt: (result) => attempts?.inc({ lane, result }) }

  const send = async (job: Job<EmailJob>, token: string | undefined) => {
    const forwarded = await forwardWithoutWords(counted, job.data.eventId, lane)
    if (forwarded.share !== null) await lanes.add(await readyInShares(sql, [forwarded.share], lanes.perShare))
    await follow(job, token, forwarded)
  }

  const worker = new Worker<EmailJob>(QUEUE_OF[lane], send, {
    connection: asConnection(redis),
    prefix: queuePrefix(prefix),
    concurrency,
    ...(hasTransport && { limiter: { max: 1, duration: Math.ceil(MINUTE_MS / perMinute) } }),
    metrics: JOB_METRICS,
    settings: { backoffStrategy: (attempts) => backoffMs(attempts, Math.random()) },
  })
  worker.on('error', (error) => logger.warn({ err: error.message, lane }, 'queue'))
  worker.on('stalled', (jobId) => logger.warn({ jobId, lane }, 'a job stalled'))
  return worker
}

/** Takes jobs off both lanes and forwards them. `redis` must wait for Redis however long it is away. */
export const startSender = (
  forwarding: Forwarding,
  lanes: EmailLanes,
  redis: RedisClient,
  prefix: string,
  attempts?: Metrics['attempts'],
) => {
  const workers = LANES.map((lane) => startLane(lane, { forwarding, lanes, redis, prefix, attempts }))
  return {
    close: async () => {
      await Promise.all(workers.map((worker) => worker.close()))
    },
  }
}
