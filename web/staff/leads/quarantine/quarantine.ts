import { nameOf, valueFor } from '../../../../events/base/name-of.ts'
import type { NewWord } from '../../../../events/base/word.ts'
import type { FlagReason } from '../../../../events/lead/form/spam-signals.ts'
import { send } from '../../../client/http.ts'
import type { LeadFilter } from '../list/leads.ts'

type Shown = { isAll?: boolean; term?: string }

/**
 * The address of the flagged leads; with `isAll` also those that staff have marked as spam, with a `term` those that
 * match it.
 */
export const quarantinePath = ({ isAll = false, term = '' }: Shown = {}) =>
  `/admin-submissions?${new URLSearchParams({
    quarantine: 'true',
    ...(isAll && { decided: 'true' }),
    ...(term && { q: term }),
  })}`

export const flaggedInWords = (count: number, term: string) =>
  `${count} in quarantine ${count === 1 ? 'matches' : 'match'} "${term}"`

/** The flagged leads, which are in no other list. */
export const SUSPECTS: LeadFilter = { term: '', quarantine: true }

/** The flagged leads that staff have not decided on yet. */
export const UNDECIDED: LeadFilter = { ...SUSPECTS, kinds: { status: 'new' } }

const REASONS: Record<FlagReason, string> = {
  trap: 'Filled in a hidden field.',
  too_fast: 'Submitted too fast.',
  over_limit: 'Many forms in a short time from one connection.',
  staff: 'Marked as spam by staff.',
}

/** Why a lead is flagged, as a sentence. */
export const reasonInWords = (reason: FlagReason | NewWord) => valueFor(REASONS, reason) ?? `${nameOf({}, reason)}.`

/** Releases a flagged lead: it joins the list, and a contract is sent by email. */
export const releaseLead = (id: string) => send('POST', `/api/leads/${id}/release`, {})
