import { useState } from 'react'
import { useNavigate } from 'react-router'
import { FOLLOW_UP_STATUSES, type FollowUpStatus } from '../../../../events/lead/follow-up/follow-up.ts'
import { STATUS_NAMES } from '../../../../events/lead/labels.ts'
import { isErased, type Lead } from '../../../../events/lead/wire.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { useMe } from '../../account/account.ts'
import { useColleagues } from '../../account/colleagues.ts'
import { Picker } from '../../forms/picker.tsx'
import { type ListAction, useListKeys } from '../../list/list-keys.ts'
import { answerAddress } from '../address.ts'
import { ASSIGNED } from '../change/assign.tsx'
import { changeWithUndo, flagWithUndo } from '../change/change-with-undo.ts'
import { useWhatsApp } from '../contact/contact-links.tsx'
import { useOwnEmail } from '../contact/email-link.tsx'
import { useOfferLog } from '../contact/log-contact.tsx'
import { leadTitle } from '../list/groups.ts'
import { useWaysBack } from '../list/place.ts'

type Choosing = { lead: Lead; field: 'status' | 'owner' }

const NO_OWNER = 'none'

/** Sets the status of a lead, or assigns it, by a few letters and Enter. */
const ChoiceDialog = (props: Choosing & { onChanged: () => void; onClose: () => void }) => {
  const { lead, field, onChanged, onClose } = props
  const { data: me } = useMe()
  const { data: colleagues = [] } = useColleagues()
  const [label, chosen, choices] =
    field === 'status'
      ? ([
          'Set status',
          lead.followUpStatus,
          FOLLOW_UP_STATUSES.map((status) => [status, STATUS_NAMES[status]] as const),
        ] as const)
      : ([
          'Assign to',
          lead.ownerId ?? NO_OWNER,
          [...colleagues.map(({ id, displayName }) => [id, displayName] as const), [NO_OWNER, 'Unassigned'] as const],
        ] as const)
  const choose = (value: string) => {
    onClose()
    if (value === chosen) return
    const name = choices.find(([each]) => each === value)?.[1]
    const [change, done] =
      field === 'status'
        ? [{ followUpStatus: value as FollowUpStatus }, `set to ${name}`]
        : [{ ownerId: value === NO_OWNER ? null : value }, value === NO_OWNER ? 'unassigned' : `assigned to ${name}`]
    changeWithUndo([lead], change, { done, onDone: onChanged, myId: me?.id })
  }
  return (
    <Dialog title={`${label}: ${leadTitle(lead)}`} width="22rem" onClose={onClose}>
      <Picker label={label} groups={[{ choices }]} chosen={chosen} onChoose={choose} />
    </Dialog>
  )
}

/**
 * The keys of a list of leads (`useListKeys`): email, WhatsApp, call, assign, status and spam act on the lead with the
 * focus. Returns the dialog of the choices.
 */
export const useLeadKeys = (
  props: Omit<NonNullable<Parameters<typeof useListKeys>[0]>, 'actions'> & {
    leads: readonly Lead[]
    select?: (id: string) => void
    onChanged: () => void
  },
) => {
  const { leads, select, onChanged, ...panel } = props
  const { data: me } = useMe()
  const [choosing, setChoosing] = useState<Choosing>()
  const offerLog = useOfferLog()
  const whatsApp = useWhatsApp()
  const ownEmail = useOwnEmail()
  const navigate = useNavigate()
  const { state, leaveFor } = useWaysBack()

  const email = (lead: Lead) => {
    const own = ownEmail(lead)
    if (!lead.email) return
    if (own) {
      location.assign(own.href)
      return offerLog(lead, 'email', own.subject)
    }
    leaveFor(lead.id)
    navigate(answerAddress(lead.id), { state })
  }
  const openWhatsApp = (lead: Lead) => {
    const { href, message, isReady } = whatsApp(lead)
    if (!href || !isReady) return
    open(href, '_blank', 'noreferrer')
    offerLog(lead, 'whatsapp', message || null)
  }
  const call = (lead: Lead) => {
    if (!lead.phoneLinks) return
    location.assign(lead.phoneLinks.call)
    offerLog(lead, 'call', null)
  }
  const assign = (lead: Lead) => {
    if (lead.ownerId || !me) setChoosing({ lead, field: 'owner' })
    else changeWithUndo([lead], { ownerId: me.id }, { done: ASSIGNED, onDone: onChanged })
  }
  const acts: Partial<Record<ListAction, (lead: Lead) => void>> = {
    email,
    whatsapp: openWhatsApp,
    call,
    assign,
    status: (lead) => setChoosing({ lead, field: 'status' }),
    spam: (lead) => flagWithUndo([lead], onChanged),
  }
  const onLead = (act: (lead: Lead) => void) => (id: string) => {
    const lead = leads.find((each) => each.id === id)
    if (lead && !isErased(lead)) act(lead)
  }
  const actions = Object.fromEntries(Object.entries(acts).map(([name, act]) => [name, onLead(act)]))
  useListKeys({ ...panel, actions: { ...actions, ...(select && { select }) } })
  return choosing && <ChoiceDialog {...choosing} onChanged={onChanged} onClose={() => setChoosing(undefined)} />
}
