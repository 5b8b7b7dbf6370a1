import type { EventType } from '../catalogue.ts'
import { actingConsumer, type ConsumerKey } from '../log/checkpoints.ts'
import { ERASURES } from '../log/erasures.ts'
import { KEY_ERASER } from '../log/key-eraser.ts'
import { WEBHOOK_EVENTS } from '../webhook.ts'
import { DISPATCH } from './deliveries.ts'
import { PROJECTIONS } from './views.ts'

/**
 * What reads the log from a checkpoint of its own, and the types of events that it has something to do for. A node wakes
 * it at once, but not sooner than `wakeEveryMs` after the last time.
 */
export type LogReader = ConsumerKey & { types: readonly EventType[]; wakeEveryMs?: number }

/** The types of events that let a submission be copied to its visitor. */
export const COPIED_EVENTS = ['LeadSubmitted', 'LeadReleased'] as const satisfies EventType[]

/** What asks for copies of submissions for visitors, among the readers of the log. */
export const COPIES = actingConsumer('copies', 2, COPIED_EVENTS)

/** A copy waits for the mail server's rate anyway: submissions that come this close are looked at together. */
const COPIES_WAKE_EVERY_MS = 250

/** What stops the clocks of leads that staff answer in the chat, among the readers of the log. */
export const CHAT_ANSWERS = actingConsumer('chat-answers', 1, ['ChatMessagePosted'])

/** What says how an email went. */
export const OUTCOME_EVENTS = ['EmailForwarded', 'EmailForwardFailed'] as const satisfies EventType[]

/** What has leads wait again whose answer by email reached nobody, among the readers of the log. */
export const FAILED_ANSWERS = actingConsumer('failed-answers', 2, OUTCOME_EVENTS)

/** A clock counts minutes: of what is said in this time one look is enough. */
const CHAT_ANSWERS_WAKE_EVERY_MS = 250

/** What sends notifications about leads to the devices of staff, among the readers of the log. */
export const PUSHES = actingConsumer('pushes', 1, ['LeadPushRequested'])

/**
 * What sends notifications about chats. It is a reader of its own: with a further type, `PUSHES` would be a new version,
 * and beside an older worker it would send all of them twice.
 */
export const CHAT_PUSHES = actingConsumer('chat-pushes', 1, ['ChatPushRequested'])

/** What notes the messages to webhooks, among the readers of the log. */
export const WEBHOOKS = actingConsumer('webhooks', 12, WEBHOOK_EVENTS)

/** Email and webhooks leave for machines that take longer than this to answer; the views come first. */
const OUTWARD_WAKE_EVERY_MS = 100

/**
 * All readers of the log: the views in the versions that this code keeps, the dispatcher of email, erasures,
 * forgetting, copies, answers in chats, failed answers, notifications, and webhooks.
 */
export const READERS: readonly LogReader[] = [
  ...PROJECTIONS,
  { ...DISPATCH, wakeEveryMs: OUTWARD_WAKE_EVERY_MS },
  ERASURES,
  KEY_ERASER,
  { ...COPIES, wakeEveryMs: COPIES_WAKE_EVERY_MS },
  { ...CHAT_ANSWERS, wakeEveryMs: CHAT_ANSWERS_WAKE_EVERY_MS },
  FAILED_ANSWERS,
  PUSHES,
  CHAT_PUSHES,
  { ...WEBHOOKS, wakeEveryMs: OUTWARD_WAKE_EVERY_MS },
]
