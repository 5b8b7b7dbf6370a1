import webPush from 'web-push'
import { InnerAddressError } from '../../events/process/public-address.ts'
import type { PushSubscription } from '../../events/process/push.ts'
import type { PushKeys } from '../../events/staff/store/push-keys.ts'
import { postOutside } from '../process/outside-request.ts'

/** How long a service may take to respond. */
export const PUSH_TIMEOUT_MS = 8_000
/** How long a service stores the notification for a device that is away. */
const TTL_S = 60 * 60

/** The dependencies of sending. `testOrigins` may be reached by HTTP and in the own network. */
export type PushSending = { keys: PushKeys; contact: string; testOrigins: readonly string[]; timeoutMs: number }

/**
 * The outcome of a notification: the service took it, no longer knows the device, is busy, refuses it, or has not
 * responded in time.
 */
export type PushOutcome = 'taken' | 'gone' | 'busy' | 'refused' | 'silent'

const outcomeOf = (status: number): PushOutcome => {
  if (status >= 200 && status < 300) return 'taken'
  if (status === 404 || status === 410) return 'gone'
  return status === 429 || status >= 500 ? 'busy' : 'refused'
}

const outcomeOfError = (error: unknown): PushOutcome => {
  if (error instanceof InnerAddressError) return 'refused'
  return error instanceof Error && error.name === 'TimeoutError' ? 'silent' : 'busy'
}

/**
 * Sends a notification to a device once, encrypted for it alone (RFC 8291). `topic` names its subject: of two that a
 * service still stores, the later replaces the earlier, so that a repeated one shows once. Throws if the device's key
 * is invalid.
 */
export const sendPush = async (
  { keys, contact, testOrigins, timeoutMs }: PushSending,
  subscription: PushSubscription,
  { payload, topic }: { payload: string; topic: string },
): Promise<PushOutcome> => {
  const vapidDetails = { subject: contact, ...keys }
  const details = webPush.generateRequestDetails(subscription, payload, {
    vapidDetails,
    TTL: TTL_S,
    urgency: 'high',
    topic,
  })
  const { endpoint, headers, body } = details
  const posted = postOutside(endpoint, { headers, body }, { testOrigins, timeoutMs })
  return await posted.then(({ status }) => outcomeOf(status), outcomeOfError)
}
