import { type FormEvent, useState } from 'react'
import type { Lead } from '../../../events/lead.ts'
import { erasePerson } from '../../staff/leads/lead.ts'
import { reasonOf } from '../../staff/refusal.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { colour, space } from '../../ui/theme.ts'
import { toast } from '../../ui/toast/toasts.ts'

const WORD = 'erase'

const Question = ({ lead, onClose, onErased }: { lead: Lead; onClose: () => void; onErased: () => void }) => {
  const [typed, setTyped] = useState('')
  const [isErasing, setErasing] = useState(false)
  const isMeant = typed.trim().toLowerCase() === WORD

  const erase = async (event: FormEvent) => {
    event.preventDefault()
    if (!isMeant || isErasing) return
    setErasing(true)
    try {
      await erasePerson(lead.id)
      toast({ title: 'Erased', description: 'Nothing personal of them is left.', variant: 'default' })
      onErased()
    } catch (error) {
      console.warn('The person was not erased:', error)
      toast({ title: 'Not erased', description: reasonOf(error), variant: 'destructive' })
      setErasing(false)
    }
  }

  return (
    <Dialog title={`Erase ${lead.name}?`} onClose={onClose}>
      <form onSubmit={erase} css={{ display: 'grid', gap: space.base }}>
        <p>
          Name, e-mail, phone, messages, notes and chats of this person are erased for good, in all of their leads. The
          numbers of the overview stay. This cannot be taken back.
        </p>
        <TextField
          id="erase-word"
          label={`Type "${WORD}" to go on`}
          autoComplete="off"
          autoCapitalize="none"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <DialogActions>
          <Button
            type="submit"
            aria-disabled={!isMeant || isErasing}
            css={{ background: colour.bad, ':hover:not(:disabled)': { background: colour.bad } }}
          >
            {isErasing ? 'Erasing...' : 'Erase for good'}
          </Button>
          <Button look="outline" onClick={onClose}>
            Cancel
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** Lets an owner erase a person for good, once the word is typed. */
export const Erase = ({ lead, onErased }: { lead: Lead; onErased: () => void }) => {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button look="quiet" onClick={() => setAsking(true)} css={{ color: colour.bad }}>
        Erase this person
      </Button>
      {isAsking && <Question lead={lead} onClose={() => setAsking(false)} onErased={onErased} />}
    </>
  )
}
