import { useSyncExternalStore } from 'react'
import * as v from 'valibot'
import { MailIcon } from '../../ui/icons.tsx'
import { useMe } from '../account.ts'
import { onDraftsChange, staffDraft } from '../drafts.ts'
import { Chip } from './chip.tsx'

const written = { template: v.string(), subject: v.string(), text: v.string() }

/** An email that an account has begun to write to the person of a lead, and what a template took the place of in it. */
export const emailDraft = (accountId: string, leadId: string) =>
  staffDraft(accountId, `lead-${leadId}-email`, v.object({ ...written, aside: v.exactOptional(v.object(written)) }))

/** A note that an account has begun to write about a lead. */
export const noteDraft = (accountId: string, leadId: string) => staffDraft(accountId, `lead-${leadId}-note`, v.string())

const useHas = (draftOf: typeof emailDraft | typeof noteDraft, leadId: string): boolean => {
  const { data: me } = useMe()
  return useSyncExternalStore(onDraftsChange, () => me !== undefined && draftOf(me.id, leadId).isStored())
}

/** Whether this device keeps an email to a lead that was begun and not sent. */
export const useHasEmailDraft = (leadId: string): boolean => useHas(emailDraft, leadId)

/** What was begun for a lead on this device, and neither sent nor added. */
export const Begun = ({ leadId }: { leadId: string }) => {
  const hasEmail = useHas(emailDraft, leadId)
  const hasNote = useHas(noteDraft, leadId)
  return (
    <>
      {hasEmail && (
        <Chip tip="You began an email to this lead: this device keeps it">
          <MailIcon />
          Unsent email
        </Chip>
      )}
      {hasNote && <Chip tip="You began a note about this lead: this device keeps it">Unsaved note</Chip>}
    </>
  )
}
