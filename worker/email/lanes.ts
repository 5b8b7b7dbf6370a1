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

import { RECIPIENTS, type Recipient } from '../../events/email/email.ts'
import type { ReadyDelivery } from '../../events/email/store/ready-deliveries.ts'
import { QUEUES } from '../../events/stores/redis/queues.ts'
import type { RedisClient } from '../../events/stores/redis/redis.ts'
import { openLane } from '../outbox/lane.ts'
import type { Config } from '../process/config.ts'

/** Of the emails that a lane sends at once, the part that may go to one recipient's domain: a third, at least one. */
const DOMAIN_PART = 3

/** A lane for each way out, so that neither holds up the other. */
export const LANES = ['service', 'smtp'] as const

export type Lane = (typeof LANES)[number]

/** The name of a lane's queue. */
export const QUEUE_OF = { service: QUEUES.emailService, smtp: QUEUES.emailSmtp } as const

/** Where deliveries are queued. */
export type EmailLanes = {
  /** How many emails to one recipient's domain may be sent at once. */
  perShare: number
  /** Queues deliveries that are due, each once. Throws if Redis cannot be reached. */
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
