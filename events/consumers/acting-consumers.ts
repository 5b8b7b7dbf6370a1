import { typesOf } from '../base/definition.ts'
import type { EventType } from '../catalogue.ts'
import { answeredEvents } from '../lead/follow-up/answered.ts'
import type { ConsumerKey } from '../log/checkpoints.ts'

/**
 * A consumer of the log with its own checkpoint, and the types of events that it handles. A node wakes it at once, but
 * at most every `wakeEveryMs`.
 */
export type LogConsumer = ConsumerKey & { types: readonly EventType[]; wakeEveryMs?: number }

/** A clock counts minutes, and a copy waits for the mail server's rate anyway: events that come this close go together. */
const RELAXED_DELAY_MS = 250

/** Email and webhooks leave for machines that take longer than this to reply; the views come first. */
const OUTSIDE_DELAY_MS = 100

/** Notes the emails that have to go out. */
export const DISPATCH = {
  name: 'dispatch',
  version: 1,
  wakeEveryMs: OUTSIDE_DELAY_MS,
  types: [
    'LeadSubmitted',
    'LeadReleased',
    'LeadCopyRequested',
    'LeadAlertRequested',
    'PasswordLinkRequested',
    'WebhookAlertRequested',
    'EmailTestRequested',
    'LeadEmailWritten',
    'ContractAccepted',
    'ContractWentLive',
    'ContractNoticeGiven',
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
  wakeEveryMs: OUTSIDE_DELAY_MS,
  types: [
    'LeadSubmitted',
    'WebsiteInfoSubmitted',
    'LeadEntered',
    'LeadReleased',
    'LeadFollowUpChanged',
    ...typesOf(answeredEvents),
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

/** Makes the signed copies of contracts. */
export const SIGNED_COPIES = {
  name: 'signed-copies',
  version: 1,
  types: ['LeadSubmitted', 'LeadReleased', 'LeadCorrected'],
} as const satisfies LogConsumer

/** Asks for copies of submissions for their visitors. */
export const VISITOR_COPIES = {
  name: 'visitor-copies',
  version: 1,
  wakeEveryMs: RELAXED_DELAY_MS,
  types: ['LeadSubmitted', 'LeadReleased'],
} as const satisfies LogConsumer

/** Stops the clocks of leads that staff reply to in the chat. */
export const CHAT_ANSWERS = {
  name: 'chat-answers',
  version: 1,
  wakeEveryMs: RELAXED_DELAY_MS,
  types: ['ChatMessagePosted'],
} as const satisfies LogConsumer

/** Puts leads back to waiting if the reply by email reached no one. */
export const FAILED_ANSWERS = {
  name: 'failed-answers',
  version: 1,
  types: ['EmailSent', 'EmailFailed'],
} as const satisfies LogConsumer

/**
 * The consumers that act on events: they send, request or erase something. A change of a consumer's types needs a new
 * version, which gives the new code its own checkpoint: an older worker that runs at the same time skips a new type in
 * the older version, and nothing is missed. A newer worker skips a type that it no longer handles, for the older
 * version too: drop a type only when nothing writes it.
 */
export const ACTING_CONSUMERS = [
  DISPATCH,
  WEBHOOKS,
  PUSHES,
  ERASURES,
  KEY_ERASER,
  SIGNED_COPIES,
  VISITOR_COPIES,
  CHAT_ANSWERS,
  FAILED_ANSWERS,
] as const
