import type { ReactNode } from 'react'
import * as v from 'valibot'
import type { Lead } from '../../../../events/lead/wire.ts'
import { MailIcon } from '../../../ui/icons.tsx'
import { useMe } from '../../account/account.ts'
import { Chip, ChipLink } from '../../chip.tsx'
import { Draft, useHasDraft } from '../../drafts/drafts.tsx'
import { answerAddress, noteAddress } from '../address.ts'
import { leadTitle } from '../list/groups.ts'
import { useWayBack } from '../list/place.ts'

/** The record of the lead that an account has begun to enter by hand. */
export const NEW_LEAD = 'new-lead'

const email = { subject: v.string(), text: v.string() }
const written = { template: v.string(), ...email }

const storedEmail = v.object({
  ...written,
  aside: v.exactOptional(v.object(written)),
  known: v.exactOptional(v.pipe(v.array(v.string()), v.readonly())),
  tried: v.exactOptional(v.object(email)),
  begunAt: v.exactOptional(v.string()),
})

/**
 * An email that an account has begun to write to the person of a lead: the text that a template replaced, when it was
 * begun (`begunAt`, ISO 8601), the ids of the replies at that time (`known`), and the text that was sent last without a
 * response (`tried`).
 */
export const emailDraft = (accountId: string, leadId: string) =>
  new Draft(accountId, `lead-${leadId}-email`, storedEmail)

export const noteDraft = (accountId: string, leadId: string) => new Draft(accountId, `lead-${leadId}-note`, v.string())

const useHas = (draftOf: typeof emailDraft | typeof noteDraft, leadId: string): boolean => {
  const { data: me } = useMe()
  return useHasDraft(me && draftOf(me.id, leadId))
}

export const useHasEmailDraft = (leadId: string): boolean => useHas(emailDraft, leadId)

type IconProps = { lead: Lead; words: string; icon?: ReactNode; tip: string; address: string }

const IconLink = ({ lead, words, icon, tip, address }: IconProps) => {
  const { state, leave } = useWayBack(lead.id)
  return (
    <ChipLink to={address} state={state} onClick={leave} tip={tip} label={`${words}: ${leadTitle(lead)}`}>
      {icon}
      {words}
    </ChipLink>
  )
}

const PlainIcon = ({ words, icon, tip }: IconProps) => (
  <Chip tip={tip}>
    {icon}
    {words}
  </Chip>
)

/**
 * Drafts for a lead on this device, neither sent nor added. Each chip links to its form, except inside a button
 * (`isInButton`) and for a flagged lead, which gets no reply before it is released.
 */
export const DraftIcons = ({ lead, isInButton = false }: { lead: Lead; isInButton?: boolean }) => {
  const hasEmail = useHas(emailDraft, lead.id)
  const hasNote = useHas(noteDraft, lead.id)
  const Shown = isInButton || lead.suspicion ? PlainIcon : IconLink
  return (
    <>
      {hasEmail && (
        <Shown
          lead={lead}
          words="Unsent email"
          icon={<MailIcon />}
          tip="You began an email to this lead: this device keeps it"
          address={answerAddress(lead.id)}
        />
      )}
      {hasNote && (
        <Shown
          lead={lead}
          words="Unsaved note"
          tip="You began a note about this lead: this device keeps it"
          address={noteAddress(lead.id)}
        />
      )}
    </>
  )
}
