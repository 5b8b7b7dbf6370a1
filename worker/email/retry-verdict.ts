import { type Backoff, backoffMs } from '../../events/base/backoff.ts'
import { DAY_MS, MINUTE_MS } from '../../events/base/time.ts'
import type { DeliveryState } from '../../events/email/email.ts'
import type { SendResult } from './transport.ts'

/** RFC 5321, 4.5.4.1, asks for at least 30 minutes between later tries: the longest pause is 30 to 60 minutes. */
const PAUSES: Backoff = { firstMs: 2_000, growth: 2, longestMs: 60 * MINUTE_MS, random: 0.5 }
/** RFC 5321, 4.5.4.1: "the give-up time generally needs to be at least 4-5 days". */
const GIVE_UP_AFTER_MS = 4 * DAY_MS
/** Time for a person to read the service's message and follow its link. */
const ACTIVATION_RETRY_MS = 15 * MINUTE_MS
/** Time for an operator to change an address or a password in the settings of the server. */
const BLOCKED_RETRY_MS = 60 * MINUTE_MS
/** A service that refuses an email three times in some seconds means it. */
const MAX_REJECTIONS = 3

/**
 * How often an email is sent that may have arrived each time: each further attempt may be one more copy in an inbox.
 */
export const MAX_UNCERTAIN_TRIES = 3
/**
 * The pauses after an attempt without a response: all three are made within an hour, and outlast a short failure of the
 * other side.
 */
const UNCERTAIN_RETRIES_MS = [10 * MINUTE_MS, 40 * MINUTE_MS]

/** The consequence of an attempt. `retryAfterMs` is undefined if nothing more is tried automatically. */
export type Verdict = {
  state: DeliveryState
  retryAfterMs: number | undefined
  /** Whether to retry soon, rather than after staff have had time to act. */
  isPassing: boolean
  /** Whether staff have to act. */
  needsAttention: boolean
}

/** The attempts of an email since it was last requested; `uncertainTries` are those before this one. */
export type Attempts = {
  attempt: number
  uncertainTries: number
  triedForMs: number
  isTest: boolean
  /** By chance, 0 to 1. */
  random: number
}

const ENDS = { retryAfterMs: undefined, isPassing: false } as const

/** Three attempts ended without a response: only a person who looks into the inbox knows more. */
export const UNCERTAIN: Verdict = { ...ENDS, state: 'uncertain', needsAttention: true }

/**
 * Decides what follows from an attempt. A test submission makes the service ask for confirmation: if it does, all is
 * done, and one that fails for good is not repeated automatically.
 */
export const verdictOn = (
  { kind, retryAfterMs, isFinal = false }: SendResult,
  { attempt, uncertainTries, triedForMs, isTest, random }: Attempts,
): Verdict => {
  const done: Verdict = { ...ENDS, state: 'delivered', needsAttention: false }
  const refused: Verdict = { ...ENDS, state: 'rejected', needsAttention: true }
  const after = (ms: number): Verdict => ({
    state: 'retrying',
    retryAfterMs: Math.max(retryAfterMs ?? 0, ms),
    isPassing: true,
    needsAttention: false,
  })
  const pauseMs = Math.round(backoffMs(PAUSES, attempt, random))
  switch (kind) {
    case 'delivered':
      return done
    case 'partial':
      return { ...ENDS, state: 'partial', needsAttention: true }
    case 'busy':
      if (triedForMs >= GIVE_UP_AFTER_MS) return { ...ENDS, state: 'expired', needsAttention: true }
      return after(pauseMs)
    case 'unknown': {
      const uncertainMs = UNCERTAIN_RETRIES_MS[uncertainTries]
      return uncertainMs === undefined ? UNCERTAIN : after(uncertainMs)
    }
    case 'rejected':
      return attempt < MAX_REJECTIONS && !isFinal ? after(pauseMs) : refused
    case 'needs_activation':
      if (isTest) return done
      return { state: kind, retryAfterMs: ACTIVATION_RETRY_MS, isPassing: false, needsAttention: true }
    case 'blocked':
      if (isTest) return refused
      return { state: kind, retryAfterMs: BLOCKED_RETRY_MS, isPassing: false, needsAttention: true }
    default:
      return kind satisfies never
  }
}

/** A test of the mail server is tried once: its owner sees the result, and asks for another one. */
export const verdictOnTest = ({ kind }: SendResult): Verdict => ({
  ...ENDS,
  state: kind === 'delivered' ? 'delivered' : 'rejected',
  needsAttention: false,
})
