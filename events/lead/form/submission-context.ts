import type { AgreedTerms, Evidence } from '../../contract/evidence.ts'
import type { SpamSignal } from './spam-signals.ts'
import type { SentTouches } from './touch.ts'

/**
 * The data sent with a visitor's form: how they came, the signals that flag the submission, for a contract the terms and
 * the evidence of the signature, and for a questionnaire the contract that it belongs to.
 */
export type SubmissionContext = {
  touches: SentTouches
  spamSignals: SpamSignal[]
  signing?: { terms: AgreedTerms; evidence: Evidence } | undefined
  contractId?: string | undefined
}

/** The context of a caller who sends none. */
export const NO_SUBMISSION_CONTEXT: SubmissionContext = {
  touches: { firstTouch: null, lastTouch: null },
  spamSignals: [],
}
