import { nameOf, valueFor } from '../../../events/name-of.ts'
import type { SpamSignal } from '../../../events/spam-signals.ts'
import type { NewWord } from '../../../events/wire/word.ts'
import { postJson } from '../../http.ts'
import type { LeadFilter } from './leads.ts'

/** Where staff look at the flagged leads. */
export const QUARANTINE_PATH = '/admin-submissions?quarantine=true'

/** Where staff look at all of them, those that somebody has marked as spam too. */
export const ALL_QUARANTINED_PATH = `${QUARANTINE_PATH}&decided=true`

/** The flagged leads, which are in no other list. */
export const SUSPECTS: LeadFilter = { term: '', quarantine: true }

/** The flagged leads of which nobody has said yet what they are. */
export const UNDECIDED: LeadFilter = { ...SUSPECTS, kinds: { status: 'new' } }

const REASONS: Record<SpamSignal, string> = {
  trap: 'Filled in a hidden field.',
  too_fast: 'Submitted too fast.',
  over_limit: 'Many forms came from the same connection shortly before.',
}

/** Why a lead is flagged, as a sentence. */
export const reasonInWords = (reason: SpamSignal | NewWord) => valueFor(REASONS, reason) ?? `${nameOf({}, reason)}.`

/** Makes a flagged lead a lead like any other: it joins the list, and a contract goes out by email. */
export const releaseLead = (id: string) => postJson(`/api/leads/${id}/release`, {})
