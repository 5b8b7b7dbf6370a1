import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { MAX_NOTE_CHARACTERS } from '../../../events/follow-up.ts'
import { DraftNotice } from '../../staff/draft-notice.tsx'
import { NOTE_FIELD } from '../../staff/leads/address.ts'
import { noteAdder } from '../../staff/leads/lead.ts'
import { noteDraft } from '../../staff/leads/lead-drafts.tsx'
import { reasonOf } from '../../staff/refusal.ts'
import { useKeptWords } from '../../staff/use-kept-words.ts'
import { Button } from '../../ui/button.tsx'
import { TextAreaField } from '../../ui/form/field.tsx'
import { space } from '../../ui/theme.ts'
import { toast } from '../../ui/toast/toasts.ts'

/**
 * Where staff write down what happened with the lead; it joins the timeline. What was typed stays until it is stored,
 * on the device too; `onLost` hears whether that does not keep it.
 */
export const NoteForm = (props: {
  leadId: string
  accountId: string
  onAdded: () => void
  onLost: (isLost: boolean) => void
}) => {
  const { leadId, onAdded, onLost } = props
  const [draft] = useState(() => noteDraft(props.accountId, leadId))
  const [typedBefore, setTypedBefore] = useState(() => draft.read())
  const [note, setNote] = useState(typedBefore ?? '')
  const [addNote] = useState(() => noteAdder(leadId, draft.keyFor))
  const [isSaving, setSaving] = useState(false)
  const area = useRef<HTMLTextAreaElement>(null)
  const isDirty = note.trim() !== ''
  const isAskedFor = `#${NOTE_FIELD}` === useLocation().hash
  useEffect(() => {
    if (isAskedFor) area.current?.focus()
  }, [isAskedFor])
  useKeptWords(draft, { isDirty, onLost })
  const type = (typed: string) => {
    setNote(typed)
    setTypedBefore(undefined)
    if (typed.trim() === '') draft.discard()
    else draft.keep(typed)
  }
  const onGone = useEffectEvent(() => {
    // words that were typed here since are another note
    if (typedBefore === undefined) return
    type('')
    toast({ title: 'This note was saved or discarded in another tab', variant: 'default' })
  })
  useEffect(() => draft.onGone(() => onGone()), [draft])
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isSaving || !isDirty) return
    setSaving(true)
    try {
      await addNote(note)
      // also where one has left meanwhile
      if (area.current ? area.current.value === note : draft.isKept()) type('')
      onAdded()
    } catch (error) {
      console.warn('The note was not added:', error)
      toast({ title: 'The note was not added', description: reasonOf(error), variant: 'destructive' })
    } finally {
      setSaving(false)
    }
  }
  return (
    <form
      aria-label="Add a note"
      onSubmit={submit}
      css={{ display: 'grid', gap: space.snug, marginBottom: space.roomy }}
    >
      <TextAreaField
        id={NOTE_FIELD}
        label="Note"
        rows={3}
        maxLength={MAX_NOTE_CHARACTERS}
        value={note}
        ref={area}
        onChange={({ target }) => type(target.value)}
      />
      <DraftNotice isShown={typedBefore !== undefined} />
      <div>
        <Button look="outline" type="submit" aria-disabled={isSaving || !isDirty}>
          {isSaving ? 'Adding...' : 'Add note'}
        </Button>
      </div>
    </form>
  )
}
