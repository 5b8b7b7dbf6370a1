import * as v from 'valibot'
import { oneOf, type Received } from '../base/word.ts'
import { DELIVERY_STATES } from '../email/email.ts'
import { PACKAGE_IDS } from '../settings/prices.ts'
import { agreedTerms, evidence } from './evidence.ts'

/** The states of a contract. `notice` is live too, and `ended` follows from the date. */
export const CONTRACT_STATES = ['signed', 'accepted', 'declined', 'live', 'notice', 'ended'] as const

export type ContractState = (typeof CONTRACT_STATES)[number]

/** The steps of contracts: each makes a state of its own, except that the content arrives. */
export const STEPS = ['accepted', 'declined', 'content', 'live', 'notice'] as const

const text = v.nullable(v.string())

/**
 * The response of `GET /api/leads/:id/contract`.
 *
 * - `terms`, and the `evidence` of the signature (null once its person was erased); `receivedAt` is when it was signed.
 * - `copies` are the versions of the signed copy, oldest first; empty until a worker has made the first one.
 * - `state` is that of today, `version` the one to name in `If-Match`. `steps` are those that were not undone, oldest
 *   first: `by` is the staff member's name, `on` and `endsOn` are days (yyyy-mm-dd), `emailState` is the state of the
 *   email to the client, null for a step without one.
 * - `dueOn` is the day until which the site is promised to be live; null once it is, and for a declined contract.
 * - `monthly` is the fee in rand, `months` the minimum term and `noticeDays` the notice, all null without a monthly fee.
 */
export const signedContract = v.object({
  terms: agreedTerms,
  evidence: v.nullable(evidence),
  receivedAt: v.string(),
  copies: v.array(v.object({ sha256: v.string(), madeAt: v.string() })),
  package: oneOf(PACKAGE_IDS),
  monthly: v.nullable(v.number()),
  months: v.nullable(v.number()),
  noticeDays: v.nullable(v.number()),
  state: oneOf(CONTRACT_STATES),
  version: v.number(),
  liveOn: text,
  endsOn: text,
  firstPossibleEnd: text,
  dueOn: text,
  steps: v.array(
    v.object({
      id: v.string(),
      state: oneOf(STEPS),
      by: text,
      at: v.string(),
      on: text,
      endsOn: text,
      emailState: v.nullable(oneOf(DELIVERY_STATES)),
      countersignedBy: text,
      reason: text,
    }),
  ),
})

export type SignedContract = Received<typeof signedContract>

/** The kinds of contracts that a list may show besides those of one state: `due` is for Today. */
export const CONTRACT_SHOWS = [...CONTRACT_STATES, 'waiting', 'ending', 'due'] as const

export type ContractShow = (typeof CONTRACT_SHOWS)[number]

/**
 * A contract in a list. `waits` is in days since it was signed, null once it is live; `dueOn` is the day until which the
 * site is promised to be live, counted from the signature until the arrival of the content is recorded.
 * `questionnaireId` and `sessionId` are the newest questionnaire and the newest chat of the client, if there are any.
 */
export const contractRow = v.object({
  leadId: v.string(),
  name: v.string(),
  businessName: text,
  package: oneOf(PACKAGE_IDS),
  monthly: v.nullable(v.number()),
  signedOn: v.string(),
  state: oneOf(CONTRACT_STATES),
  liveOn: text,
  endsOn: text,
  firstPossibleEnd: text,
  waits: v.nullable(v.number()),
  dueOn: v.string(),
  isLate: v.boolean(),
  isEnding: v.boolean(),
  questionnaireId: text,
  sessionId: text,
})

export type ContractRow = Received<typeof contractRow>

/** The response of `GET /api/contracts`: a page of the contracts of a filter, newest first. */
export const contractRows = v.array(contractRow)

/**
 * The response of `GET /api/contracts/summary`: how many contracts a filter has, and the `totals` of all contracts: the
 * monthly fees that run today, in rand, and the numbers of those that need staff.
 */
export const contractsSummary = v.object({
  count: v.number(),
  totals: v.object({
    monthly: v.number(),
    packages: v.array(v.object({ package: oneOf(PACKAGE_IDS), contracts: v.number(), monthly: v.number() })),
    waiting: v.number(),
    late: v.number(),
    ending: v.number(),
  }),
})

export type ContractsSummary = Received<typeof contractsSummary>
