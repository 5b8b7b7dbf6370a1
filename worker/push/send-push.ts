import { request as byHttp } from 'node:http'
import { request as byHttps } from 'node:https'
import { setTimeout as delay } from 'node:timers/promises'
import webPush from 'web-push'
import type { PushKeys } from '../../events/log/push-keys.ts'
import { InnerAddressError, lookUpPublic } from '../../events/process/public-address.ts'
import { isPushAddress, type PushSubscription } from '../../events/process/push.ts'

const TIMEOUT_MS = 8_000
/** How often a service that is busy is tried, and how long to wait in between. */
const MAX_TRIES = 3
const PAUSE_MS = 1_000
/** How long a service keeps the notification for a device that is away. */
const KEPT_S = 60 * 60

/** What notifications are sent with. `testOrigins` may be reached by HTTP and in the own network. */
export type PushSending = { keys: PushKeys; contact: string; testOrigins: readonly string[] }

/** What became of a notification: the service took it, knows the device no more, is busy, or wants none of it. */
export type PushOutcome = 'taken' | 'gone' | 'busy' | 'refused'

type Details = ReturnType<typeof webPush.generateRequestDetails>

/** Posts, and follows no redirect. What the service says beside its status is left unread. */
const post = ({ endpoint, headers, body }: Details, isTest: boolean): Promise<number> => {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const send = endpoint.startsWith('https:') ? byHttps : byHttp
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const options = { method: 'POST', headers, signal, agent: false as const, ...(!isTest && { lookup: lookUpPublic }) }
  const sent = send(endpoint, options, (response) => {
    resolve(response.statusCode ?? 0)
    response.destroy()
  })
  sent.on('error', reject)
  sent.end(body)
  return promise
}

const outcomeOf = (status: number): PushOutcome => {
  if (status >= 200 && status < 300) return 'taken'
  if (status === 404 || status === 410) return 'gone'
  return status === 429 || status >= 500 ? 'busy' : 'refused'
}

const tryOnce = async (details: Details, isTest: boolean): Promise<PushOutcome> => {
  try {
    return outcomeOf(await post(details, isTest))
  } catch (error) {
    return error instanceof InnerAddressError ? 'refused' : 'busy'
  }
}

/**
 * Sends a notification to a device, encrypted for it alone (RFC 8291). `topic` names what it is about: of two that a
 * service still keeps, the later takes the place of the earlier, so that one that is sent again shows once.
 */
export const sendPush = async (
  { keys, contact, testOrigins }: PushSending,
  subscription: PushSubscription,
  { payload, topic }: { payload: string; topic: string },
): Promise<PushOutcome> => {
  const { endpoint } = subscription
  if (!isPushAddress(endpoint, testOrigins)) return 'refused'
  const isTest = testOrigins.includes(new URL(endpoint).origin)
  const vapidDetails = { subject: contact, ...keys }
  const details = webPush.generateRequestDetails(subscription, payload, {
    vapidDetails,
    TTL: KEPT_S,
    urgency: 'high',
    topic,
  })
  for (let tries = 1; ; tries += 1) {
    const outcome = await tryOnce(details, isTest)
    if (outcome !== 'busy' || tries === MAX_TRIES) return outcome
    await delay(PAUSE_MS * tries)
  }
}
