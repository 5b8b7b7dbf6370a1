import { useEffect, useEffectEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import * as v from 'valibot'
import { type LeadEntryForm, leadEntryForm } from '../../../events/lead/entry.ts'
import { type Lead, lead } from '../../../events/lead/wire.ts'
import { useMe } from '../../staff/account/account.ts'
import { Draft, discardDraft, useDraft, useHasDraft } from '../../staff/drafts/drafts.tsx'
import { useUnsavedText } from '../../staff/drafts/unsaved.ts'
import { useStaffForm } from '../../staff/forms/use-staff-form.ts'
import { leadAddress } from '../../staff/leads/address.ts'
import { NEW_LEAD } from '../../staff/leads/shown/lead-drafts.tsx'
import { submission } from '../../ui/form/submission.ts'
import { toast } from '../../ui/toast/toasts.ts'

/** Enters leads by hand; the same lead sent again after a failure is stored once. Resolves to the lead. */
const leadEnterer = (keyFor: (body: string) => string) => {
  const submit = submission('/api/leads/by-hand', keyFor)
  return async (form: LeadEntryForm): Promise<Lead> => v.parse(lead, await submit(form, {}))
}

const line = v.nullish(v.string(), '')

/** The typed fields of a lead that is entered by hand, as they are stored. */
const storedEntry = v.object({
  name: line,
  email: line,
  phone: line,
  company: line,
  package: line,
  note: line,
  isWaiting: v.nullish(v.boolean(), false),
})

const EMPTY = v.parse(storedEntry, {})
const NOTHING = JSON.stringify(EMPTY)

/** The draft of a lead that a staff member has begun to enter by hand. */
const entryDraft = (accountId: string) => new Draft(accountId, NEW_LEAD, storedEntry)

/** Whether this device stores a lead that was begun and not added. */
export const useHasStoredEntry = (): boolean => {
  const { data: me } = useMe()
  return useHasDraft(me && entryDraft(me.id))
}

export type EntryFormProps = {
  accountId: string
  onClose: () => void
  /** Opens the form again, with its draft. */
  onOpen: () => void
}

/** Opens a lead once it is added: by then no confirmation blocks leaving this screen. */
const useWayTo = (leadId: string | undefined) => {
  const navigate = useNavigate()
  useEffect(() => {
    if (leadId !== undefined) navigate(leadAddress(leadId))
  }, [navigate, leadId])
}

/** A lead that is being entered by hand, and the draft that stores it until it is added. */
export const useEntryForm = ({ accountId, onClose, onOpen }: EntryFormProps) => {
  const { draft, before, isStored } = useDraft(() => entryDraft(accountId), {
    onRemoved: () => {
      // text that was typed here since then is another lead
      if (!isRestored) return
      onClose()
      toast({ title: 'This lead was added or discarded in another tab' })
    },
  })
  const [isRestored, setRestored] = useState(before !== undefined)
  const [enter] = useState(() => leadEnterer(draft.keyFor))
  const [addedId, setAddedId] = useState<string>()
  const form = useStaffForm(leadEntryForm, {
    isStored: true,
    defaultValues: before ?? EMPTY,
    send: async (entry) => {
      // the second click of a double click, while the screen of the lead is loading
      if (addedId !== undefined) return
      const added = await enter(entry)
      // another tab may have replaced it with another lead
      if (draft.isStored()) draft.discard()
      setAddedId(added.id)
    },
  })
  useWayTo(addedId)
  const { watch, getValues } = form
  const typedNow = () => v.parse(storedEntry, getValues())
  const isNothing = () => JSON.stringify(typedNow()) === NOTHING
  const onTyped = useEffectEvent(() => {
    setRestored(false)
    if (!isNothing()) draft.store(typedNow())
    else if (draft.isStored()) draft.discard()
  })
  // without delay: Escape may be the next key
  useEffect(() => watch(() => onTyped()).unsubscribe, [watch])
  const isUnsaved = JSON.stringify(v.parse(storedEntry, watch())) !== NOTHING && addedId === undefined
  useUnsavedText(isUnsaved, isStored || isRestored)
  const [isAsked, setAsked] = useState(false)
  const close = () => {
    if (!isNothing() && !isRestored && !draft.isStored()) return setAsked(true)
    onClose()
    if (!draft.isStored()) return
    const description = 'The lead is not added yet. It stays on this device for 7 days, or until you sign out.'
    toast({ title: 'Kept for later', description })
  }
  const discard = () =>
    discardDraft(draft, { title: 'Lead discarded', begun: 'You have begun another lead', onClose, onOpen })
  return {
    form,
    isRestored,
    /** Whether there is typed text that this device stores. */
    isKept: isUnsaved && isStored,
    /** Whether closing the form asks for confirmation, because this device does not store the typed text. */
    isAsked,
    stay: () => setAsked(false),
    close,
    discard,
  }
}
