import { type FormEvent, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type { Lead } from '../../../events/lead.ts'
import { erasePerson } from '../../staff/leads/lead.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { colour, radius, shadow, space, type } from '../../ui/theme.ts'
import { toast } from '../../ui/toast/toasts.ts'

const WORD = 'erase'

/** Lets an owner erase a person for good, once the word is typed. */
export const Erase = ({ lead }: { lead: Lead }) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const navigate = useNavigate()
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
      await navigate('/admin-dashboard', { replace: true })
    } catch (error) {
      console.warn('The person was not erased:', error)
      toast({
        title: 'Not erased',
        description: 'The server did not answer as expected. Try again.',
        variant: 'destructive',
      })
      setErasing(false)
    }
  }

  return (
    <>
      <Button look="quiet" onClick={() => dialog.current?.showModal()} css={{ color: colour.bad }}>
        Erase this person
      </Button>
      <dialog
        ref={dialog}
        aria-labelledby="erase-title"
        onClose={() => setTyped('')}
        css={{
          width: 'min(30rem, calc(100vw - 2rem))',
          padding: space.roomy,
          border: `1px solid ${colour.line}`,
          borderRadius: radius.card,
          background: colour.sheet,
          color: colour.ink,
          boxShadow: shadow.floating,
          '::backdrop': { background: 'rgb(22 24 31 / 55%)' },
        }}
      >
        <form onSubmit={erase} css={{ display: 'grid', gap: space.base }}>
          <h2 id="erase-title" css={{ fontSize: type.step }}>
            Erase {lead.name}?
          </h2>
          <p>
            Name, e-mail, phone, messages, notes and chats of this person are erased for good, in all of their leads.
            The numbers of the overview stay. This cannot be taken back.
          </p>
          <TextField
            id="erase-word"
            label={`Type "${WORD}" to go on`}
            autoComplete="off"
            autoCapitalize="none"
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
          <div css={{ display: 'flex', flexWrap: 'wrap', gap: space.tight }}>
            <Button
              type="submit"
              disabled={!isMeant || isErasing}
              css={{ background: colour.bad, ':hover:not(:disabled)': { background: colour.bad } }}
            >
              {isErasing ? 'Erasing...' : 'Erase for good'}
            </Button>
            <Button look="outline" onClick={() => dialog.current?.close()}>
              Cancel
            </Button>
          </div>
        </form>
      </dialog>
    </>
  )
}
