import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { AnyRecordedEvent } from '../../events/catalogue.ts'
import { PUSHES } from '../../events/consumers/acting-consumers.ts'
import { KeyError } from '../../events/keys/key-ring.ts'
import { PUSH_UNTIL_MS } from '../../events/lead/email/alert.ts'
import type { PushSubscription } from '../../events/process/push.ts'
import { readPushKeys, replaceLostPushKeys } from '../../events/staff/store/push-keys.ts'
import { devicesToNotify, removeGoneSubscription } from '../../events/staff/store/push-subscriptions.ts'
import type { Sql } from '../../events/stores/connection.ts'
import { actOnLogOnce } from '../consumers/act-on-log.ts'
import type { Config } from '../process/config.ts'
import { contentOf, type PushRequest, withoutReplaced } from './content.ts'
import { PUSH_TIMEOUT_MS, type PushSending, sendPush } from './send-push.ts'

/** How many requests a step takes: a worker that dies loses those alone. */
const REQUESTS_PER_STEP = 10
/** How many notifications are sent at once. */
const AT_ONCE = 10
/** The maximum of attempts if a service is busy, and if it does not respond; and the pause between them. */
const MAX_TRIES = { busy: 3, silent: 2 }
const PAUSE_MS = 1_000
/** A topic has 32 characters of base64url at most (RFC 8030, 5.4). */
const TOPIC_CHARACTERS = 32

/** The dependencies of sending notifications. */
export type Pushing = {
  sql: Sql
  logger: Pick<Logger, 'warn'>
  config: Pick<Config, 'agencyEmail' | 'pushTestOrigins'>
  /** How long a service may take to respond; tests wait less. */
  timeoutMs?: number
}

const isRequest = (event: AnyRecordedEvent): event is PushRequest & AnyRecordedEvent =>
  event.type === 'LeadPushRequested' || event.type === 'ChatPushRequested'

/**
 * Takes the next requests, each for this worker alone, and passes them: a request that it takes and does not send is lost,
 * not doubled.
 */
const claimRequests = async (sql: Sql): Promise<{ requests: PushRequest[]; hasMore: boolean }> => {
  let claimed: PushRequest[] = []
  const hasMore = await actOnLogOnce(sql, PUSHES, {}, async (_, events) => {
    const requests = withoutReplaced(events.filter(isRequest))
    claimed = requests.slice(0, REQUESTS_PER_STEP)
    return claimed.length < requests.length ? claimed.at(-1)?.position : undefined
  })
  return { requests: claimed, hasMore }
}

const devicesOf = (sql: Sql, request: PushRequest) =>
  devicesToNotify(sql, request.data.accountId, contentOf(request).alert)

type Message = { device: PushSubscription; request: PushRequest }

const messagesOf = async (sql: Sql, request: PushRequest): Promise<Message[]> =>
  (await devicesOf(sql, request)).map((device) => ({ device, request }))

/** Drops stale requests. */
const readContent = async (sql: Sql, request: PushRequest, now: Date) =>
  request.recordedAt.getTime() >= now.getTime() - PUSH_UNTIL_MS ? await contentOf(request).read(sql) : undefined

/**
 * The content of a notification to a device; undefined if it is no longer needed. Read right before each attempt:
 * earlier ones may have taken long.
 */
const wordsFor = async (sql: Sql, { device, request }: Message, now: Date) => {
  const words = await readContent(sql, request, now)
  const devices = words ? await devicesOf(sql, request) : []
  const isRegistered = devices.some(
    ({ endpoint, keys }) => endpoint === device.endpoint && keys.auth === device.keys.auth,
  )
  return isRegistered ? words : undefined
}

const topicOf = (request: PushRequest) =>
  createHash('sha256').update(contentOf(request).topic).digest('base64url').slice(0, TOPIC_CHARACTERS)

type Step = { pushing: Pushing; sending: PushSending; now: () => Date; onAlive: () => void }

/** Returns undefined if the notification is no longer needed. */
const tryToSend = async ({ pushing, sending, now, onAlive }: Step, message: Message) => {
  const { device, request } = message
  const topic = topicOf(request)
  for (let tries = 1; ; tries += 1) {
    const words = await wordsFor(pushing.sql, message, now())
    if (!words) return undefined
    // a key that is not a point of the curve is detected only here
    const outcome = await sendPush(sending, device, { payload: JSON.stringify(words), topic }).catch(
      () => 'gone' as const,
    )
    onAlive()
    if ((outcome !== 'busy' && outcome !== 'silent') || tries >= MAX_TRIES[outcome]) return outcome
    await delay(PAUSE_MS * tries)
  }
}

/** The subject's key is lost: that delays no other notification. */
const asUnreadable = (error: unknown) => {
  if (error instanceof KeyError) return 'unreadable' as const
  throw error
}

const send = async (step: Step, message: Message) => {
  const { sql, logger } = step.pushing
  const { device, request } = message
  const outcome = await tryToSend(step, message).catch(asUnreadable)
  if (outcome === 'gone') await removeGoneSubscription(sql, device)
  if (outcome && !['gone', 'taken'].includes(outcome))
    logger.warn({ outcome, host: new URL(device.endpoint).host, event: request.id }, 'a notification was not sent')
}

/**
 * Makes new keys if the site's own are lost, and logs that. Returns whether they were: then no device is left to
 * notify.
 */
export const repairPushKeys = async ({ sql, logger }: Pick<Pushing, 'sql' | 'logger'>) => {
  if (!sql.keys) throw new KeyError('To send notifications takes a connection with keys')
  const wereLost = await replaceLostPushKeys(sql, sql.keys)
  if (wereLost)
    logger.warn(
      'no DATA_KEY opened the keys of notifications: there are new ones, and devices ask again as staff open their pages',
    )
  return wereLost
}

const sendAll = async (pushing: Pushing, messages: Message[], pace: Pick<Step, 'now' | 'onAlive'>) => {
  const { sql, config, timeoutMs = PUSH_TIMEOUT_MS } = pushing
  if (messages.length === 0) return
  if (!sql.keys) throw new KeyError('To send notifications takes a connection with keys')
  if (await repairPushKeys(pushing)) return
  const keys = await readPushKeys(sql, sql.keys.ring)
  const testOrigins = config.pushTestOrigins
  const step = { pushing, sending: { keys, contact: `mailto:${config.agencyEmail}`, testOrigins, timeoutMs }, ...pace }
  const left = [...messages]
  const work = async () => {
    for (let next = left.shift(); next; next = left.shift()) await send(step, next)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

/**
 * Sends the notifications that the next few requests in the log ask for: to each device of a person at most once,
 * whichever worker dies, and none about a lead or a chat that has been answered since. A device that its service no
 * longer knows is removed. `onAlive` is called after each attempt. Returns whether there may be more.
 */
export const pushToDevices = async (
  pushing: Pushing,
  { now = () => new Date(), onAlive = () => {} }: { now?: () => Date; onAlive?: () => void } = {},
): Promise<boolean> => {
  const { requests, hasMore } = await claimRequests(pushing.sql)
  const messages = await Promise.all(requests.map((request) => messagesOf(pushing.sql, request)))
  await sendAll(pushing, messages.flat(), { now, onAlive })
  return hasMore
}
