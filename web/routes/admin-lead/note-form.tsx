import { type FormEvent, useEffect, useState } from 'react'
import { MAX_NOTE_CHARACTERS } from '../../../events/follow-up.ts'
import { noteAdder } from '../../staff/leads/lead.ts'
import { reasonOf } from '../../staff/refusal.ts'
import { Button } from '../../ui/button.tsx'
import { TextAreaField } from '../../ui/form/field.tsx'
import { space } from '../../ui/theme.ts'
import { toast } from '../../ui/toast/toasts.ts'

/**
 * Where staff write down what happened with the lead; it joins the timeline. What was typed stays until it is stored;
 * `onDirty` hears whether there is such.
 */
export const NoteForm = (props: { leadId: string; onAdded: () => void; onDirty: (isDirty: boolean) => void }) => {
  const { leadId, onAdded, onDirty } = props
  const [note, setNote] = useState('')
  const [addNote] = useState(() => noteAdder(leadId))
  const [isSaving, setSaving] = useState(false)
  const isDirty = note.trim() !== ''
  useEffect(() => onDirty(isDirty), [onDirty, isDirty])
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isSaving || !isDirty) return
    setSaving(true)
    try {
      await addNote(note)
      setNote((typed) => (typed === note ? '' : typed))
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
        id="note"
        label="Note"
        rows={3}
        maxLength={MAX_NOTE_CHARACTERS}
        value={note}
        onChange={({ target }) => setNote(target.value)}
      />
      <div>
        <Button look="outline" type="submit" aria-disabled={isSaving || !isDirty}>
          {isSaving ? 'Adding...' : 'Add note'}
        </Button>
      </div>
    </form>
  )
}
