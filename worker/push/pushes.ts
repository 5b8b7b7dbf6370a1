import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import type { RecordedEvent } from '../../events/definition.ts'
import { isUnanswered, type leadPushRequested, PUSH_UNTIL_MS, pushMessage } from '../../events/lead-alert.ts'
import {
  advanceCheckpoint,
  assertSameHistory,
  lockCheckpoint,
  prepareCheckpoint,
} from '../../events/log/checkpoints.ts'
import { inTransaction, type Sql } from '../../events/log/connection.ts'
import { KeyError } from '../../events/log/key-ring.ts'
import { readPushKeys } from '../../events/log/push-keys.ts'
import { devicesToTell, removeGoneSubscription } from '../../events/log/push-subscriptions.ts'
import { readDeclared } from '../../events/log/read.ts'
import type { PushSubscription } from '../../events/process/push.ts'
import { readLead } from '../../events/projections/emails.ts'
import { PUSHED_EVENTS, PUSHES } from '../../events/projections/readers.ts'
import type { Config } from '../config.ts'
import { type PushSending, sendPush } from './send-push.ts'

/** Of the log, at most this many events a step: those that ask for notifications are few among them. */
const BATCH_EVENTS = 500
/** How many are sent at once. */
const AT_ONCE = 10
/** A topic has 32 characters of base64url at most (RFC 8030, 5.4). */
const TOPIC_CHARACTERS = 32

/** What sending notifications works with. */
export type Pushing = {
  sql: Sql
  logger: Pick<Logger, 'warn'>
  config: Pick<Config, 'agencyEmail' | 'pushTestOrigins'>
}

type Request = RecordedEvent<typeof leadPushRequested>

/** Makes the checkpoint of notifications where there is none. */
export const preparePushes = (sql: Sql): Promise<void> => prepareCheckpoint(sql, PUSHES, { isFilled: true })

/** Takes the next requests, each for this worker alone, and passes them: what it takes and does not send is lost, not doubled. */
const takeRequests = (sql: Sql): Promise<{ requests: Request[]; hasMore: boolean }> =>
  inTransaction(sql, async (tx) => {
    const checkpoint = await lockCheckpoint(tx, PUSHES)
    if (!checkpoint) return { requests: [], hasMore: false }
    assertSameHistory(PUSHES, checkpoint)
    const declared = { types: PUSHED_EVENTS }
    const { events, position, hasMore } = await readDeclared(tx, checkpoint.position, BATCH_EVENTS, declared)
    if (position > checkpoint.position) await advanceCheckpoint(tx, PUSHES, { from: checkpoint, to: position })
    return { requests: events.flatMap((event) => (event.type === 'LeadPushRequested' ? [event] : [])), hasMore }
  })

/** Who is told nothing any more: of a lead that is answered or erased, or that came long ago. */
const isNews = async (sql: Sql, { data, recordedAt }: Request, now: Date) => {
  if (recordedAt.getTime() < now.getTime() - PUSH_UNTIL_MS) return false
  const known = await readLead(sql, data.leadId)
  return known !== undefined && isUnanswered(known.lead)
}

type Message = { device: PushSubscription; request: Request }

const messagesOf = async (sql: Sql, request: Request, now: Date): Promise<Message[]> => {
  if (!(await isNews(sql, request, now))) return []
  const devices = await devicesToTell(sql, request.data.accountId, request.data.alert)
  return devices.map((device) => ({ device, request }))
}

const topicOf = ({ leadId, alert }: Request['data']) =>
  createHash('sha256').update(`${alert} ${leadId}`).digest('base64url').slice(0, TOPIC_CHARACTERS)

const send = async ({ sql, logger }: Pushing, sending: PushSending, { device, request }: Message) => {
  const message = { payload: JSON.stringify(pushMessage(request.data)), topic: topicOf(request.data) }
  // a key that is no point of the curve is found out only here
  const outcome = await sendPush(sending, device, message).catch(() => 'gone' as const)
  if (outcome === 'gone') await removeGoneSubscription(sql, device)
  if (outcome === 'busy' || outcome === 'refused')
    logger.warn({ outcome, host: new URL(device.endpoint).host, event: request.id }, 'a notification was not sent')
}

const sendAll = async (pushing: Pushing, messages: Message[]) => {
  const { sql, config } = pushing
  if (messages.length === 0) return
  if (!sql.keys) throw new KeyError('To send notifications takes a connection with keys')
  const keys = await readPushKeys(sql, sql.keys.ring)
  const sending = { keys, contact: `mailto:${config.agencyEmail}`, testOrigins: config.pushTestOrigins }
  const left = [...messages]
  const work = async () => {
    for (let next = left.shift(); next; next = left.shift()) await send(pushing, sending, next)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

/**
 * Sends the notifications that the next part of the log asks for: to each device of a person once at most, whichever worker
 * dies, and none about a lead that has been answered meanwhile. A device that its service knows no more is forgotten.
 * Returns whether there may be more.
 */
export const pushToDevices = async (pushing: Pushing, now = new Date()): Promise<boolean> => {
  const { requests, hasMore } = await takeRequests(pushing.sql)
  const messages = await Promise.all(requests.map((request) => messagesOf(pushing.sql, request, now)))
  await sendAll(pushing, messages.flat())
  return hasMore
}
