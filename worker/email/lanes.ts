/**
 * Email goes out at least once, in lanes. A row in `deliveries` decides what is sent. The queues hold ids only and can
 * be rebuilt from it: one queue for the form-to-email service and one for SMTP, each with its own rate. Contracts go
 * first, then other leads, then what visitors of chats get. While contracts keep a lane busy, one email in four is one
 * of the others that have waited for half a minute. Of what a lane sends at once, at most a third goes to one visitor's
 * domain, so that a domain that hangs holds up no other.
 *
 * An email that may have arrived, because no clear answer came, is sent at most three times, within an hour. A side that
 * is busy is tried for four days (RFC 5321, 4.5.4.1). Then staff decide. Where one of several inboxes refuses an email,
 * staff see which, and only the inboxes that lack it get it again. Staff see every email with its attempts at
 * /admin-email, and can send any of it again. Without EMAIL_FORWARD_URL and SMTP_URL email stays in the local outbox.
 */

import { type Job, Queue } from 'bullmq'
import { EMAIL_PRIORITIES, RECIPIENTS, type Recipient } from '../../events/email.ts'
import { asConnection, QUEUES, queuePrefix } from '../../events/log/queues.ts'
import type { RedisClient } from '../../events/log/redis.ts'
import type { ReadyDelivery } from '../../events/projections/ready-deliveries.ts'
import type { Config } from '../config.ts'

const JOBS_PER_CALL = 500

/** How often BullMQ itself retries a job that broke off. After that the job is queued again from the deliveries. */
const JOB_ATTEMPTS = 8

/** How long, and how many, jobs stay on the queue board whose email waits for staff. */
const KEEP_FAILED = { age: 14 * 24 * 60 * 60, count: 1_000 }

/** Of the emails that a lane sends at once, the part that may go to one recipient's domain: a third, at least one. */
const DOMAIN_PART = 3

/** A lane for each way out, so that neither holds up the other. */
export const LANES = ['service', 'smtp'] as const

export type Lane = (typeof LANES)[number]

/** The name of a lane's queue. */
export const QUEUE_OF = { service: QUEUES.emailService, smtp: QUEUES.emailSmtp } as const

/** A job says which event to send, by id: nothing personal is in Redis. */
export type EmailJob = { eventId: string }

/** Where deliveries are queued. */
export type EmailLanes = {
  /** How many emails to one recipient's domain may be sent at once. */
  perShare: number
  /**
   * Queues deliveries that are due. One that is queued already is not queued twice, but waits no longer. Throws where
   * Redis cannot be reached.
   */
  add: (deliveries: ReadyDelivery[]) => Promise<void>
  close: () => Promise<void>
}

type Ways = Pick<Config, 'emailForwardUrl' | 'smtpUrl'>

/**
 * The lane of what goes to a recipient: visitors get theirs by SMTP, the agency its own by the service, where there are
 * both.
 */
export const laneOf = (recipient: Recipient, { emailForwardUrl, smtpUrl }: Ways): Lane => {
  if (recipient === 'agency') return emailForwardUrl || !smtpUrl ? 'service' : 'smtp'
  return smtpUrl || !emailForwardUrl ? 'smtp' : 'service'
}

/** Whose email goes by a lane. */
export const recipientsOf = (lane: Lane, ways: Ways): Recipient[] =>
  RECIPIENTS.filter((recipient) => laneOf(recipient, ways) === lane)

/** How many emails to one recipient's domain may be sent at once. */
export const perShareOf = (config: Ways & Pick<Config, 'emailLanes'>): number =>
  Math.max(1, Math.floor(config.emailLanes[laneOf('visitor', config)].concurrency / DOMAIN_PART))

const jobIdOf = ({ eventId }: ReadyDelivery) => `fwd-${eventId}`

type EmailQueue = Queue<EmailJob>

/** A call on a job that has gone on meanwhile does nothing. */
const unlessMoved = async (call: Promise<unknown>, isStill: () => Promise<boolean>) => {
  await call.catch(async (error) => {
    if (await isStill()) throw error
  })
}

const wake = async (job: Job<EmailJob>) => {
  if (await job.isDelayed()) await unlessMoved(job.promote(), () => job.isDelayed())
  if (await job.isFailed()) await unlessMoved(job.retry('failed'), () => job.isFailed())
}

/**
 * A job that waits for a later attempt, or that failed and stays for the queue board, keeps its id. It runs now all the
 * same.
 */
const wakeAll = async (queue: EmailQueue, jobs: Job<EmailJob>[]) => {
  const { delayed = 0, failed = 0 } = await queue.getJobCounts('delayed', 'failed')
  if (delayed + failed > 0) await Promise.all(jobs.map(wake))
}

/** What has its turn goes before all that has a priority, though it was queued with one. */
const bringForward = async (jobs: Job<EmailJob>[]) => {
  const turns = jobs.filter(({ opts }) => opts.priority === EMAIL_PRIORITIES.turn)
  const change = { priority: EMAIL_PRIORITIES.turn }
  await Promise.all(
    turns.map((job) => unlessMoved(job.changePriority(change), async () => (await job.getState()) === 'prioritized')),
  )
}

/** Redis may have been emptied since the last call, and with it the queue's own settings. */
const addTo = async (queue: EmailQueue, concurrency: number, deliveries: ReadyDelivery[]) => {
  await queue.setGlobalConcurrency(concurrency)
  for (let from = 0; from < deliveries.length; from += JOBS_PER_CALL) {
    const jobs = await queue.addBulk(
      deliveries.slice(from, from + JOBS_PER_CALL).map((delivery) => ({
        name: 'send',
        data: { eventId: delivery.eventId },
        opts: { jobId: jobIdOf(delivery), priority: delivery.priority },
      })),
    )
    await wakeAll(queue, jobs)
    await bringForward(jobs)
  }
}

/** Opens the lanes for adding. `redis` has to fail fast. */
export const openEmailLanes = (
  config: Ways & Pick<Config, 'emailLanes'>,
  redis: RedisClient,
  { prefix, onError }: { prefix: string; onError: (error: Error) => void },
): EmailLanes => {
  const open = (lane: Lane): EmailQueue => {
    const queue: EmailQueue = new Queue<EmailJob>(QUEUE_OF[lane], {
      connection: asConnection(redis),
      prefix: queuePrefix(prefix),
      defaultJobOptions: {
        attempts: JOB_ATTEMPTS,
        backoff: { type: 'forward' },
        removeOnComplete: true,
        removeOnFail: KEEP_FAILED,
      },
    })
    queue.on('error', onError)
    return queue
  }
  const queues = { service: open('service'), smtp: open('smtp') }

  return {
    perShare: perShareOf(config),
    add: async (deliveries) => {
      const byLane = Map.groupBy(deliveries, ({ recipient }) => laneOf(recipient, config))
      for (const [lane, ofLane] of byLane) await addTo(queues[lane], config.emailLanes[lane].concurrency, ofLane)
    },
    close: async () => {
      await Promise.all(LANES.map((lane) => queues[lane].close()))
    },
  }
}
