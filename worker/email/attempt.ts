import type { DeliveryState } from '../../events/email.ts'
import type { SendResult } from './send.ts'

const MINUTE_MS = 60_000
const FIRST_RETRY_MS = 2_000
const LONGEST_RETRY_MS = 60 * MINUTE_MS
const ACTIVATION_RETRY_MS = 15 * MINUTE_MS
const BLOCKED_RETRY_MS = 60 * MINUTE_MS
const MAX_REJECTIONS = 3

/** What follows from an attempt. `retryAfterMs` is undefined where nothing more is tried by itself. */
export type Verdict = {
  state: DeliveryState
  retryAfterMs: number | undefined
  /** Whether to try again soon, rather than when somebody has had time to act. */
  isPassing: boolean
  /** Whether staff have to do something. */
  needsSomebody: boolean
}

/**
 * How long to wait after the nth attempt, in milliseconds: doubling from 2 s to an hour, half of it by chance
 * (`random`, 0 to 1).
 */
export const backoffMs = (attempt: number, random: number): number => {
  const full = Math.min(FIRST_RETRY_MS * 2 ** (attempt - 1), LONGEST_RETRY_MS)
  return Math.round(full / 2 + (full / 2) * random)
}

/**
 * Decides what follows from the nth attempt. A test submission is there to make the service ask for confirmation: where
 * it does, all is done, and one that fails for good is not repeated by itself.
 */
export const judgeAttempt = (
  { kind, retryAfterMs, isFinal = false }: SendResult,
  { attempt, isTest, random }: { attempt: number; isTest: boolean; random: number },
): Verdict => {
  const done: Verdict = { state: 'delivered', retryAfterMs: undefined, isPassing: false, needsSomebody: false }
  const refused: Verdict = { state: 'rejected', retryAfterMs: undefined, isPassing: false, needsSomebody: true }
  const soon: Verdict = {
    state: 'retrying',
    retryAfterMs: Math.max(retryAfterMs ?? 0, backoffMs(attempt, random)),
    isPassing: true,
    needsSomebody: false,
  }
  switch (kind) {
    case 'delivered':
      return done
    case 'busy':
    case 'unknown':
      return soon
    case 'rejected':
      return attempt < MAX_REJECTIONS && !isFinal ? soon : refused
    case 'needs_activation':
      if (isTest) return done
      return { state: kind, retryAfterMs: ACTIVATION_RETRY_MS, isPassing: false, needsSomebody: true }
    case 'blocked':
      if (isTest) return refused
      return { state: kind, retryAfterMs: BLOCKED_RETRY_MS, isPassing: false, needsSomebody: true }
    default:
      return kind satisfies never
  }
}
