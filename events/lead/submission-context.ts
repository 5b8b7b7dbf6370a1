import type { SpamSignal } from './spam-signals.ts'
import type { SentTouches } from './touch.ts'

/** The data sent with a visitor's form: how they came, and the signals that flag the submission. */
export type SubmissionContext = { touches: SentTouches; spamSignals: SpamSignal[] }

/** The context of a caller who sends none. */
export const NO_SUBMISSION_CONTEXT: SubmissionContext = {
  touches: { firstTouch: null, lastTouch: null },
  spamSignals: [],
}
