/**
 * Email goes out at least once, in lanes. A row in `deliveries` decides what is sent. The queues hold only ids and can
 * be rebuilt from it: one queue for the form-to-email service and one for SMTP, each with its own rate. Contracts go
 * first, then other leads, then emails to visitors of chats. While contracts keep a lane busy, one email in four is one
 * of the others that have waited for half a minute. Of the emails that a lane sends at once, at most a third goes to
 * one visitor's domain, so that a domain that hangs delays no other.
 *
 * An email that may have arrived, because no clear response came, is sent at most three times, within an hour. A busy
 * server is tried for four days (RFC 5321, 4.5.4.1). Then staff decide. If one of several inboxes refuses an email,
 * staff see which, and only the inboxes that lack it get it again. Staff see every email with its attempts at
 * /admin-email, and can send any of it again. Without EMAIL_FORWARD_URL and SMTP_URL email stays in the local outbox.
 */

import { RECIPIENTS, type Recipient } from '../../events/email/email.ts'
import type { ReadyDelivery } from '../../events/email/store/ready-deliveries.ts'
import { QUEUES } from '../../events/stores/redis/queues.ts'
import type { RedisClient } from '../../events/stores/redis/redis.ts'
import { openLane } from '../lanes/lane.ts'
import type { Config } from '../process/config.ts'

/** The part of the emails that a lane sends at once that may go to one recipient's domain: a third, at least one. */
const DOMAIN_PART = 3

/** One lane for each way out, so that neither delays the other. */
export const LANES = ['service', 'smtp'] as const

export type Lane = (typeof LANES)[number]

/** The name of a lane's queue. */
export const QUEUE_OF = { service: QUEUES.emailService, smtp: QUEUES.emailSmtp } as const

/** The queues of deliveries. */
export type EmailLanes = {
  /** How many emails to one recipient's domain may be sent at once. */
  perShare: number
  /** Queues deliveries that are due, each once. Throws if Redis cannot be reached. */
  add: (deliveries: ReadyDelivery[]) => Promise<void>
  close: () => Promise<void>
}

type Ways = Pick<Config, 'emailForwardUrl' | 'smtpUrl'>

/** The lane of a recipient's emails: if there are both, SMTP for visitors and the service for the agency. */
export const laneOf = (recipient: Recipient, { emailForwardUrl, smtpUrl }: Ways): Lane => {
  if (recipient === 'agency') return emailForwardUrl || !smtpUrl ? 'service' : 'smtp'
  return smtpUrl || !emailForwardUrl ? 'smtp' : 'service'
}

/** The recipients whose email goes by a lane. */
export const recipientsOf = (lane: Lane, ways: Ways): Recipient[] =>
  RECIPIENTS.filter((recipient) => laneOf(recipient, ways) === lane)

/** How many emails to one recipient's domain may be sent at once. */
export const perShareOf = (config: Ways & Pick<Config, 'emailLanes'>): number =>
  Math.max(1, Math.floor(config.emailLanes[laneOf('visitor', config)].concurrency / DOMAIN_PART))

/** Opens the lanes for adding. `redis` has to fail fast. */
export const openEmailLanes = (
  config: Ways & Pick<Config, 'emailLanes'>,
  redis: RedisClient,
  names: { prefix: string; onError: (error: Error) => void },
): EmailLanes => {
  const open = (lane: Lane) =>
    openLane({ name: QUEUE_OF[lane], concurrency: config.emailLanes[lane].concurrency }, redis, names)
  const queues = { service: open('service'), smtp: open('smtp') }
  return {
    perShare: perShareOf(config),
    add: async (deliveries) => {
      const byLane = Map.groupBy(deliveries, ({ recipient }) => laneOf(recipient, config))
      for (const [lane, ofLane] of byLane) {
        await queues[lane].add(ofLane.map(({ eventId: id, priority }) => ({ id, priority })))
      }
    },
    close: async () => {
      await Promise.all(LANES.map((lane) => queues[lane].close()))
    },
  }
}
