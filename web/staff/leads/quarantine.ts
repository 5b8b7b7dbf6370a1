import { nameOf, valueFor } from '../../../events/name-of.ts'
import type { Suspicion } from '../../../events/suspicion.ts'
import type { NewWord } from '../../../events/wire/word.ts'
import { postJson } from '../../http.ts'
import type { LeadFilter } from './leads.ts'

/** Where staff look at the suspects. */
export const QUARANTINE_PATH = '/admin-submissions?quarantine=true'

/** The suspects, which are in no other list. */
export const SUSPECTS: LeadFilter = { term: '', quarantine: true }

const REASONS: Record<Suspicion, string> = {
  trap: 'Filled in a hidden field.',
  too_fast: 'Submitted too fast.',
  over_limit: 'Many forms came from the same connection shortly before.',
}

/** Why somebody is a suspect, as a sentence. */
export const reasonInWords = (reason: Suspicion | NewWord) => valueFor(REASONS, reason) ?? `${nameOf({}, reason)}.`

/** Makes a suspect a lead like any other: it joins the list, and a contract goes out by e-mail. */
export const releaseLead = (id: string) => postJson(`/api/leads/${id}/release`, {})
