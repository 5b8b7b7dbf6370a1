import { useSyncExternalStore } from 'react'
import * as v from 'valibot'
import { MailIcon } from '../../ui/icons.tsx'
import { useMe } from '../account.ts'
import { onDraftsChange, staffDraft } from '../drafts.ts'
import { Chip } from './chip.tsx'

/** An email that an account has begun to write to the person of a lead. */
export const emailDraft = (accountId: string, leadId: string) =>
  staffDraft(
    accountId,
    `lead-${leadId}-email`,
    v.object({ template: v.string(), subject: v.string(), text: v.string() }),
  )

/** Whether this device keeps an email to a lead that was begun and not sent. */
export const useHasEmailDraft = (leadId: string): boolean => {
  const { data: me } = useMe()
  return useSyncExternalStore(onDraftsChange, () => me !== undefined && emailDraft(me.id, leadId).isKept())
}

/** That an email to a lead was begun here and not sent. */
export const BegunEmail = ({ leadId }: { leadId: string }) =>
  useHasEmailDraft(leadId) ? (
    <Chip tip="You began an email to this lead: this device keeps it">
      <MailIcon />
      Unsent email
    </Chip>
  ) : null
