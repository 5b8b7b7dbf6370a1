import * as v from 'valibot'
import type { LeadEntryForm } from '../../../events/lead-entry.ts'
import { type Lead, lead } from '../../../events/wire/lead.ts'
import { submission } from '../../ui/form/submission.ts'

/** Enters leads by hand; the same one sent again after a failure is stored once. Resolves to the lead. */
export const leadEnterer = () => {
  const submit = submission('/api/leads/by-hand')
  return async (form: LeadEntryForm): Promise<Lead> => v.parse(lead, await submit(form, {}))
}
