import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { MAX_NOTE_CHARACTERS } from '../../../../events/lead/follow-up/follow-up.ts'
import { Button } from '../../../ui/button.tsx'
import { TextAreaField } from '../../../ui/form/field.tsx'
import { space, unseen } from '../../../ui/theme.ts'
import { toast } from '../../../ui/toast/toasts.ts'
import { DraftNote, useDraft } from '../../drafts/drafts.tsx'
import { useUnsavedText } from '../../drafts/unsaved.ts'
import { submitOnKeys } from '../../forms/submit-on-keys.ts'
import { useBusy } from '../../requests/use-busy.ts'
import { NOTE_FIELD } from '../address.ts'
import { noteAdder } from '../lead.ts'
import { noteDraft } from '../shown/lead-drafts.tsx'

/**
 * The form in which staff write a note about the lead, which joins the timeline. Typed text stays until it is saved, on
 * the device too.
 */
export const NoteForm = (props: { leadId: string; accountId: string; onAdded: () => void }) => {
  const { leadId, onAdded } = props
  const { draft, before, isStored } = useDraft(() => noteDraft(props.accountId, leadId), {
    onRemoved: () => {
      // text that was typed here since then is another note
      if (!isRestored) return
      type('')
      toast({ title: 'This note was saved or discarded in another tab' })
    },
  })
  const [isRestored, setRestored] = useState(before !== undefined)
  const [note, setNote] = useState(before ?? '')
  const [addNote] = useState(() => noteAdder(leadId, draft.keyFor))
  const { isBusy, run } = useBusy('The note was not added')
  const area = useRef<HTMLTextAreaElement>(null)
  const isDirty = note.trim() !== ''
  const isLinked = `#${NOTE_FIELD}` === useLocation().hash
  useEffect(() => {
    if (isLinked) area.current?.focus()
  }, [isLinked])
  useUnsavedText(isDirty, isStored)
  const type = (typed: string) => {
    setNote(typed)
    setRestored(false)
    if (typed.trim() === '') draft.discard()
    else draft.store(typed)
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!isDirty) return
    await run(async () => {
      await addNote(note)
      // also if the writer has left since then
      if (area.current ? area.current.value === note : draft.isStored()) type('')
      onAdded()
    })
  }
  return (
    <form
      aria-label="Add a note"
      onSubmit={submit}
      onKeyDown={submitOnKeys}
      css={{ display: 'grid', gap: space.tight, '& label': unseen }}
    >
      <TextAreaField
        id={NOTE_FIELD}
        label="Note"
        rows={1}
        css={{ fieldSizing: 'content', maxHeight: '12rem' }}
        maxLength={MAX_NOTE_CHARACTERS}
        value={note}
        ref={area}
        onChange={({ target }) => type(target.value)}
      />
      <DraftNote isShown={isRestored} />
      <div>
        <Button look="outline" type="submit" aria-disabled={isBusy || !isDirty}>
          {isBusy ? 'Adding...' : 'Add note'}
        </Button>
      </div>
    </form>
  )
}
