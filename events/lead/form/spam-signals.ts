/**
 * Spam is stored, not dropped. A form sends a field that no person sees (a honeypot), and how long it was open. A
 * flagged submission is stored as one, shown to staff at /admin-submissions?quarantine=true and released with a click
 * (POST /api/leads/:id/release). The visitor's first and last touch are stored with the lead (`firstTouch`,
 * `lastTouch`: touch.ts).
 */

import * as v from 'valibot'
import { HONEYPOT_FIELD, OPEN_FIELD } from './spam-fields.ts'

/** The shortest time in which a person reads a page and fills in a form. */
export const MIN_OPEN_MS = 2_000

/**
 * Why a submission may be a machine's: it filled in an invisible field, was faster than any person, or came after many
 * others from the same address.
 */
export const SPAM_SIGNALS = ['trap', 'too_fast', 'over_limit'] as const

export type SpamSignal = (typeof SPAM_SIGNALS)[number]

/** Why a lead is flagged: the signals of its submission, or that staff call it spam. */
export const FLAG_REASONS = [...SPAM_SIGNALS, 'staff'] as const

export type FlagReason = (typeof FLAG_REASONS)[number]

/** Why an event's submission is flagged; absent on all others. */
export const suspicion = v.exactOptional(v.array(v.picklist(SPAM_SIGNALS)))

/**
 * The fields that distinguish people from machines in a submission. Callers of the API that send neither are not
 * flagged, and unreadable values never refuse a submission.
 */
export const spamFields = v.object({
  [HONEYPOT_FIELD]: v.fallback(v.nullish(v.string(), ''), 'not text'),
  [OPEN_FIELD]: v.fallback(
    v.nullish(v.pipe(v.union([v.number(), v.pipe(v.string(), v.nonEmpty())]), v.toNumber())),
    null,
  ),
})

/** The reasons to flag a submission, in a fixed order; none for a person's. */
export const detectSpam = (signs: v.InferOutput<typeof spamFields>): SpamSignal[] => {
  const openMs = signs[OPEN_FIELD] ?? Number.POSITIVE_INFINITY
  return [
    ...(signs[HONEYPOT_FIELD] === '' ? [] : ['trap' as const]),
    ...(openMs < MIN_OPEN_MS ? ['too_fast' as const] : []),
  ]
}
