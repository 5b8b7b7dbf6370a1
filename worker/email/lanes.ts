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
 * /admin-email, and can send any of it again. Without EMAIL_FORWARD_URL and a mail server, that of
 * SMTP_URL or of the settings, email stays in the local outbox until there is one.
 */

import { RECIPIENTS, type Recipient } from '../../events/email/email.ts'
import type { ReadyDelivery } from '../../events/email/store/ready-deliveries.ts'
import { QUEUES } from '../../events/stores/redis/queues.ts'
import type { RedisClient } from '../../events/stores/redis/redis.ts'
import { openLane } from '../lanes/lane.ts'
import { hasServer, type LaneWays } from './ways.ts'

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
  readonly perShare: number
  /** Queues deliveries that are due, each once. Throws if Redis cannot be reached. */
  add: (deliveries: ReadyDelivery[]) => Promise<void>
  close: () => Promise<void>
}

/** The lane of a recipient's emails: if there are both, SMTP for visitors and the service for the agency. */
export const laneOf = (recipient: Recipient, ways: LaneWays): Lane => {
  const { emailForwardUrl } = ways.config
  if (recipient === 'agency') return emailForwardUrl || !hasServer(ways) ? 'service' : 'smtp'
  return hasServer(ways) || !emailForwardUrl ? 'smtp' : 'service'
}

/** Whether anything sends the emails of a lane. */
export const hasTransport = (lane: Lane, ways: LaneWays): boolean =>
  lane === 'service' ? ways.config.emailForwardUrl !== undefined : hasServer(ways)

/** The recipients whose email goes by a lane. */
export const recipientsOf = (lane: Lane, ways: LaneWays): Recipient[] =>
  RECIPIENTS.filter((recipient) => laneOf(recipient, ways) === lane)

/** How many emails to one recipient's domain may be sent at once. */
export const perShareOf = (ways: LaneWays): number =>
  Math.max(1, Math.floor(ways.config.emailLanes[laneOf('visitor', ways)].concurrency / DOMAIN_PART))

/** Opens the lanes for adding. `redis` has to fail fast. */
export const openEmailLanes = (
  ways: LaneWays,
  redis: RedisClient,
  names: { prefix: string; onError: (error: Error) => void },
): EmailLanes => {
  const open = (lane: Lane) =>
    openLane({ name: QUEUE_OF[lane], concurrency: ways.config.emailLanes[lane].concurrency }, redis, names)
  const queues = { service: open('service'), smtp: open('smtp') }
  return {
    get perShare() {
      return perShareOf(ways)
    },
    add: async (deliveries) => {
      const byLane = Map.groupBy(deliveries, ({ recipient }) => laneOf(recipient, ways))
      for (const [lane, ofLane] of byLane) {
        await queues[lane].add(ofLane.map(({ eventId: id, priority }) => ({ id, priority })))
      }
    },
    close: async () => {
      await Promise.all(LANES.map((lane) => queues[lane].close()))
    },
  }
}
