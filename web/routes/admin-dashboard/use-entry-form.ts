import { useEffect, useEffectEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import * as v from 'valibot'
import { leadEntryForm } from '../../../events/lead-entry.ts'
import { discardDraft } from '../../staff/discard-draft.ts'
import { leadAddress } from '../../staff/leads/address.ts'
import { begunEntry, entryDraft, leadEnterer } from '../../staff/leads/entry.ts'
import { useKeptWords } from '../../staff/use-kept-words.ts'
import { useStaffForm } from '../../staff/use-staff-form.ts'
import { toast } from '../../ui/toast/toasts.ts'

/** What a lead is entered with. */
export type EntryFormProps = {
  accountId: string
  onClose: () => void
  /** Opens the form again, with its draft. */
  onOpen: () => void
}

const EMPTY = v.parse(begunEntry, {})
const NOTHING = JSON.stringify(EMPTY)

/** Leads to a lead once it is added: by then no question keeps anybody on this screen. */
const useWayTo = (leadId: string | undefined) => {
  const navigate = useNavigate()
  useEffect(() => {
    if (leadId !== undefined) navigate(leadAddress(leadId))
  }, [navigate, leadId])
}

/** A lead that is being entered by hand, and the draft that keeps it until it is added. */
export const useEntryForm = ({ accountId, onClose, onOpen }: EntryFormProps) => {
  const [draft] = useState(() => entryDraft(accountId))
  const [before] = useState(() => draft.read())
  const [enter] = useState(() => leadEnterer(draft.keyFor))
  const [addedId, setAddedId] = useState<string>()
  const form = useStaffForm(leadEntryForm, {
    isKept: true,
    defaultValues: before ?? EMPTY,
    send: async (entry) => {
      // the second click of a double click, while the screen of the lead is on its way
      if (addedId !== undefined) return
      const added = await enter(entry)
      // what another tab keeps now is another lead
      if (draft.isKept()) draft.discard()
      setAddedId(added.id)
    },
  })
  useWayTo(addedId)
  const { watch, getValues } = form
  const typedNow = () => v.parse(begunEntry, getValues())
  const onTyped = useEffectEvent(() => {
    const typed = typedNow()
    if (JSON.stringify(typed) !== NOTHING) draft.keep(typed)
    else if (draft.isKept()) draft.discard()
  })
  // at once: Escape may be the next key
  useEffect(() => watch(() => onTyped()).unsubscribe, [watch])
  const words = JSON.stringify(v.parse(begunEntry, watch()))
  const restored = JSON.stringify(before)
  const isAsRestored = words === restored
  const onGone = useEffectEvent(() => {
    // words that were typed here since are another lead
    if (!isAsRestored) return
    onClose()
    toast({ title: 'This lead was added or discarded in another tab', variant: 'default' })
  })
  useEffect(() => draft.onGone(() => onGone()), [draft])
  const [isLost, setLost] = useState(false)
  const isUnsaved = words !== NOTHING && addedId === undefined
  useKeptWords(draft, { isDirty: isUnsaved, onLost: setLost })
  const [isAsked, setAsked] = useState(false)
  const close = () => {
    const typed = JSON.stringify(typedNow())
    const isKept = draft.isKept()
    // in the place of what was restored another tab has put other words
    if (typed !== NOTHING && typed !== restored && !isKept) return setAsked(true)
    onClose()
    if (!isKept) return
    const description = 'The lead is not added yet. It stays on this device for 7 days, or until you sign out.'
    toast({ title: 'Kept for later', description, variant: 'default' })
  }
  const discard = () =>
    discardDraft(draft, { title: 'Lead discarded', begun: 'You have begun another lead', onClose, onOpen })
  return {
    form,
    isAsRestored,
    /** Whether something was typed that this device keeps. */
    isKept: isUnsaved && !isLost,
    /** Whether words were typed here that this device does not keep. */
    isLost: isUnsaved && isLost && !isAsRestored,
    /** Whether somebody has been asked about these, who wants to close the form. */
    isAsked,
    stay: () => setAsked(false),
    close,
    discard,
  }
}
