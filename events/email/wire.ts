import * as v from 'valibot'
import { oneOf, type Received, type Sent } from '../base/word.ts'
import { DELIVERY_STATES, RECIPIENT_STATES, RECIPIENTS } from './email.ts'

const instant = v.pipe(v.string(), v.isoTimestamp())
const fields = v.array(v.tuple([v.string(), v.string()]))

/** The filters by which emails are counted; `waiting` are those sent by themselves, `stuck` those that need staff. */
export const COUNTED_FILTERS = [
  'waiting',
  'stuck',
  'delivered',
  'needs_activation',
  'blocked',
  'rejected',
  'expired',
  'uncertain',
  'partial',
  'outbox',
] as const

/** The filters of the list of emails; `attention` are the stuck ones, and waiting contracts that were not sent. */
export const EMAIL_FILTERS = [...COUNTED_FILTERS, 'attention'] as const

export type CountedFilter = (typeof COUNTED_FILTERS)[number]

export type EmailFilter = (typeof EMAIL_FILTERS)[number]

/** One try. Its `kind` is in no fixed list. `cut_off`: the worker that made it died, it may have been sent. */
const emailTry = v.object({ at: instant, kind: v.string(), answer: v.string() })

export type EmailTry = Sent<typeof emailTry>

/** How one of several inboxes of the agency answered; `address` is null for one that is set no longer. */
const inboxState = v.object({ address: v.nullable(v.string()), state: oneOf(RECIPIENT_STATES) })

/**
 * An email as the list shows it. `askedAt` is when it was last requested, `tries` are the newest attempts, newest
 * first. `isContract` says that it holds a signed contract, or the customer's copy of one; `isUnreadable` that its data
 * key is not available, so that its contents are missing: it is lost, or, with `areKeysAway`, the keys' database does
 * not respond at the moment. `to` lists its addresses, if it goes to the visitor or to the agency: colleagues'
 * addresses for alerts are private.
 */
export const listedEmail = v.object({
  id: v.string(),
  subject: v.string(),
  person: v.nullable(v.string()),
  recipient: oneOf(RECIPIENTS),
  to: v.exactOptional(v.array(v.string())),
  fields,
  isErased: v.boolean(),
  isUnreadable: v.exactOptional(v.boolean()),
  areKeysAway: v.exactOptional(v.boolean()),
  about: v.object({ leadId: v.exactOptional(v.string()), sessionId: v.exactOptional(v.string()) }),
  state: oneOf(DELIVERY_STATES),
  isStuck: v.boolean(),
  isContract: v.exactOptional(v.boolean()),
  inboxes: v.exactOptional(v.array(inboxState)),
  isUnderWay: v.boolean(),
  attempts: v.number(),
  tries: v.array(emailTry),
  dueAt: instant,
  askedAt: instant,
  createdAt: instant,
})

export type ListedEmail = Received<typeof listedEmail>

/** The response of `GET /api/emails`, newest first. */
export const listedEmails = v.array(listedEmail)

/**
 * The response of `GET /api/emails/summary`: the number of each kind, counted up to a limit, whether a service or a
 * server to send them by is set, and whether that reaches people outside the agency (both are absent if only the worker
 * has that setting).
 */
export const emailSummary = v.object({
  ...v.entriesFromList(COUNTED_FILTERS, v.number()),
  attention: v.number(),
  isSetUp: v.exactOptional(v.boolean()),
  reachesPeople: v.exactOptional(v.boolean()),
})

export type EmailSummary = Received<typeof emailSummary>

/** The response of `GET /api/outbox`: the emails stored because no email service is set, newest first. */
export const outbox = v.array(v.object({ id: v.string(), storedAt: instant, subject: v.string(), fields }))

/** The last attempt of an email by a result: when, and the response of the other side. */
const lastTry = v.nullable(v.object({ at: instant, answer: v.string() }))

/**
 * The response of `GET /api/email-server`: where the mail server comes from (`unknown`: only the workers have the
 * variables), whether a variable sets the sender, and whether a form service takes the agency's email; the sender; the
 * last email that was sent and that failed; and the test of the query, null without one.
 */
export const emailServerState = v.object({
  source: oneOf(['environment', 'settings', 'none', 'unknown']),
  from: v.string(),
  isFromSet: v.boolean(),
  hasService: v.boolean(),
  lastSent: lastTry,
  lastFailed: lastTry,
  test: v.nullable(v.object({ state: oneOf(['waiting', 'sent', 'failed']), answer: v.string() })),
})

export type EmailServerState = Received<typeof emailServerState>

/** The response of `POST /api/email-server/test`. */
export const emailTest = v.object({ id: v.string(), to: v.string() })
