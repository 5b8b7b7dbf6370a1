import { type FormEvent, useState } from 'react'
import { eraseChat } from '../../staff/chat/chat-record.ts'
import { DialogButton } from '../../staff/forms/dialog-button.tsx'
import { EraseWord, isEraseWord } from '../../staff/privacy/erase-word.tsx'
import { reasonOf } from '../../staff/requests/refusal.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { colour, space, type } from '../../ui/theme.ts'
import { useRequest } from './use-request.ts'

type Props = { sessionId: string; visitor: string; hasLead: boolean }

const Question = ({ sessionId, visitor, hasLead, onClose }: Props & { onClose: () => void }) => {
  const [typed, setTyped] = useState('')
  const { state, error, ask } = useRequest(() => eraseChat(sessionId), 'The chat was not erased:')
  const isErasing = state === 'busy'
  const isConfirmed = isEraseWord(typed)

  const erase = async (event: FormEvent) => {
    event.preventDefault()
    if (isConfirmed && (await ask())) onClose()
  }
  return (
    <Dialog title={`Erase the chat with ${visitor}?`} isHeld={isErasing} onClose={onClose}>
      <form onSubmit={erase} css={{ display: 'grid', gap: space.base }}>
        <p>
          Name, email, pages, files and all messages of this chat are erased for good, for the visitor too. If it is
          still open, it ends. This can’t be undone.
        </p>
        {hasLead && (
          <p>The lead that was created from it stays. To erase that too, erase the person on the lead’s page.</p>
        )}
        <EraseWord typed={typed} onType={setTyped} />
        {state === 'failed' && (
          <p role="alert" css={{ color: colour.bad, fontSize: type.small }}>
            The chat was not erased. {reasonOf(error)}
          </p>
        )}
        <DialogActions>
          <Button
            type="submit"
            aria-disabled={!isConfirmed || isErasing}
            css={{ background: colour.bad, ':hover:not(:disabled)': { background: colour.bad } }}
          >
            {isErasing ? 'Erasing...' : 'Erase for good'}
          </Button>
          <Button look="outline" aria-disabled={isErasing} onClick={() => isErasing || onClose()}>
            Cancel
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** Lets an owner erase a chat for good, once the word is typed. The erasure arrives by the socket. */
export const EraseChat = (props: Props) => (
  <DialogButton
    look="quiet"
    css={{ width: '100%', color: colour.bad }}
    dialog={(close) => <Question {...props} onClose={close} />}
  >
    Erase this chat
  </DialogButton>
)
