import type { SpamSignal } from './spam-signals.ts'
import type { SentTouches } from './touch.ts'

/** What comes with a visitor's form: how they came, and what flags the submission. */
export type SubmissionContext = { touches: SentTouches; spamSignals: SpamSignal[] }

/** Those of a caller who says nothing about itself. */
export const NO_SUBMISSION_CONTEXT: SubmissionContext = {
  touches: { firstTouch: null, lastTouch: null },
  spamSignals: [],
}
