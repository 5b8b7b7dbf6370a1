import { useSyncExternalStore } from 'react'
import * as v from 'valibot'
import type { LeadEntryForm } from '../../../events/lead-entry.ts'
import { type Lead, lead } from '../../../events/wire/lead.ts'
import { submission } from '../../ui/form/submission.ts'
import { useMe } from '../account.ts'
import { onDraftsChange, staffDraft } from '../drafts.ts'

/** Enters leads by hand; the same one sent again after a failure is stored once. Resolves to the lead. */
export const leadEnterer = (keyFor: (body: string) => string) => {
  const submit = submission('/api/leads/by-hand', keyFor)
  return async (form: LeadEntryForm): Promise<Lead> => v.parse(lead, await submit(form, {}))
}

const line = v.nullish(v.string(), '')

/** What is typed of a lead that is entered by hand, as it is kept. */
export const begunEntry = v.object({
  name: line,
  email: line,
  phone: line,
  company: line,
  package: line,
  note: line,
  isWaiting: v.nullish(v.boolean(), false),
})

const RECORD = 'new-lead'

/** Whether what a device keeps is a lead that was begun, by the name of its record. */
export const isBegunEntry = (record: string) => record === RECORD

/** A lead that an account has begun to enter by hand, and not added. */
export const entryDraft = (accountId: string) => staffDraft(accountId, RECORD, begunEntry)

/** Whether this device keeps a lead that was begun and not added. */
export const useHasBegunEntry = (): boolean => {
  const { data: me } = useMe()
  return useSyncExternalStore(onDraftsChange, () => me !== undefined && entryDraft(me.id).isStored())
}
