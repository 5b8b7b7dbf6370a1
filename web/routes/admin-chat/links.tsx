import { useState } from 'react'
import type { ChatRecord } from '../../../events/wire/chat.ts'
import { momentOf } from '../../staff/leads/day.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, firstFocus } from '../../ui/dialog.tsx'
import { colour, space, type } from '../../ui/theme.ts'
import { revokeLinks } from './chat-record.ts'

const Question = (props: { isBusy: boolean; hasFailed: boolean; onRevoke: () => void; onClose: () => void }) => (
  <Dialog title="Revoke the links to this chat?" onClose={props.onClose}>
    <p>
      Links in emails that were sent before stop working, and pages that were opened from one are closed. The visitor
      keeps the chat on the device where it began. This cannot be undone.
    </p>
    <p role="status" css={{ color: colour.bad, fontSize: type.small }}>
      {props.hasFailed && 'The links were not revoked. Try again.'}
    </p>
    <DialogActions>
      <Button onClick={props.onRevoke} aria-disabled={props.isBusy}>
        Revoke links
      </Button>
      <Button ref={firstFocus} look="outline" onClick={props.onClose}>
        Keep them
      </Button>
    </DialogActions>
  </Dialog>
)

/** Revokes the links to a chat once staff have confirmed it, and tells when that was done last, and by whom. */
export const Links = (props: { sessionId: string; record: ChatRecord | undefined; onRevoked: () => void }) => {
  const [isAsking, setIsAsking] = useState(false)
  const [state, setState] = useState<'idle' | 'busy' | 'failed'>('idle')
  const last = props.record?.linkRevocations?.at(-1)

  const ask = (isOpen: boolean) => {
    setState('idle')
    setIsAsking(isOpen)
  }

  const revoke = async () => {
    if (state === 'busy') return
    setState('busy')
    try {
      await revokeLinks(props.sessionId)
      ask(false)
      props.onRevoked()
    } catch (error) {
      console.warn('The links were not revoked:', error)
      setState('failed')
    }
  }
  return (
    <div>
      <Button look="quiet" onClick={() => ask(true)} css={{ width: '100%', minHeight: '2.5rem' }}>
        Revoke links
      </Button>
      {last && (
        <p css={{ marginTop: space.hair, color: colour.soft, fontSize: '0.8125rem', lineHeight: 1.45 }}>
          Links revoked {momentOf(last.timestamp)} by {last.by ?? 'a former colleague'}.
        </p>
      )}
      {isAsking && (
        <Question
          isBusy={state === 'busy'}
          hasFailed={state === 'failed'}
          onRevoke={revoke}
          onClose={() => ask(false)}
        />
      )}
    </div>
  )
}
