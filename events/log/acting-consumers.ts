import type { EventType } from '../catalogue.ts'
import { ANSWERED_EVENTS } from '../lead/answered.ts'
import type { ConsumerKey } from './checkpoints.ts'

/**
 * A consumer of the log: what reads it from a checkpoint of its own, and the types of events that it handles. A node wakes
 * it at once, but no sooner than `wakeEveryMs` after the last time.
 */
export type LogConsumer = ConsumerKey & { types: readonly EventType[]; wakeEveryMs?: number }

/** A clock counts minutes, and a copy waits for the mail server's rate anyway: events that come this close go together. */
const UNHURRIED_MS = 250

/** Email and webhooks leave for machines that take longer than this to reply; the views come first. */
const OUTWARD_MS = 100

/** Notes the emails that have to go out. */
export const DISPATCH = {
  name: 'dispatch',
  version: 1,
  wakeEveryMs: OUTWARD_MS,
  types: [
    'LeadSubmitted',
    'LeadReleased',
    'LeadCopyRequested',
    'LeadAlertRequested',
    'PasswordLinkRequested',
    'WebhookAlertRequested',
    'LeadEmailWritten',
    'EmailActivationRequested',
    'ChatTranscriptRequested',
    'ChatAnswersUnread',
    'EmailResendRequested',
  ],
} as const satisfies LogConsumer

/** Notes the messages that have to go to webhooks. */
export const WEBHOOKS = {
  name: 'webhooks',
  version: 1,
  wakeEveryMs: OUTWARD_MS,
  types: [
    'LeadSubmitted',
    'WebsiteInfoSubmitted',
    'LeadEntered',
    'LeadReleased',
    'LeadFollowUpChanged',
    ...ANSWERED_EVENTS,
    'LeadNoteAdded',
    'LeadNoteRemoved',
    'LeadCorrected',
    'LeadsMerged',
    'LeadsUnmerged',
    'ChatStarted',
    'ChatEnded',
    'WebhookChanged',
    'WebhookResendRequested',
  ],
} as const satisfies LogConsumer

/** Sends notifications to the devices of staff. */
export const PUSHES = {
  name: 'pushes',
  version: 1,
  types: ['LeadPushRequested', 'ChatPushRequested'],
} as const satisfies LogConsumer

/** Carries out the erasures that owners ask for. */
export const ERASURES = { name: 'erasures', version: 1, types: ['ErasureRequested'] } as const satisfies LogConsumer

/** Destroys the data keys of erased people. */
export const KEY_ERASER = {
  name: 'key-eraser',
  version: 1,
  types: ['LeadErased', 'ChatErased'],
} as const satisfies LogConsumer

/** Asks for copies of submissions for their visitors. */
export const COPIES = {
  name: 'copies',
  version: 1,
  wakeEveryMs: UNHURRIED_MS,
  types: ['LeadSubmitted', 'LeadReleased'],
} as const satisfies LogConsumer

/** Stops the clocks of leads that staff answer in the chat. */
export const CHAT_ANSWERS = {
  name: 'chat-answers',
  version: 1,
  wakeEveryMs: UNHURRIED_MS,
  types: ['ChatMessagePosted'],
} as const satisfies LogConsumer

/** Has leads wait again whose answer by email reached nobody. */
export const FAILED_ANSWERS = {
  name: 'failed-answers',
  version: 1,
  types: ['EmailForwarded', 'EmailForwardFailed'],
} as const satisfies LogConsumer

/**
 * The consumers that act on events: they send, ask for or erase something. Whoever changes the types of one raises its
 * version, which gives the new code a checkpoint of its own: an older worker that runs at the same time passes over a new
 * type in the older version, and nothing is missed. The newer worker passes over a type that it no longer handles, for the
 * older one too: a type is given up once nothing writes it.
 */
export const ACTING_CONSUMERS = [
  DISPATCH,
  WEBHOOKS,
  PUSHES,
  ERASURES,
  KEY_ERASER,
  COPIES,
  CHAT_ANSWERS,
  FAILED_ANSWERS,
] as const
