import { useState } from 'react'
import type { ChatRecord } from '../../../events/chat/wire.ts'
import { A_FORMER_COLLEAGUE } from '../../../events/staff/staff.ts'
import { revokeLinks } from '../../staff/chat-record.ts'
import { momentOf } from '../../staff/day.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, firstFocus } from '../../ui/dialog.tsx'
import { colour, space, type } from '../../ui/theme.ts'
import { useRequest } from './use-request.ts'

const Question = (props: { isBusy: boolean; hasFailed: boolean; onRevoke: () => void; onClose: () => void }) => (
  <Dialog title="Revoke the links to this chat?" onClose={props.onClose}>
    <p>
      Links in earlier emails stop working, and pages opened from one are closed. The visitor keeps the chat on the
      device where it began. This cannot be undone.
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

/**
 * Revokes the links to a chat once staff have confirmed it, and shows when that was done last, and by which staff
 * member.
 */
export const Links = (props: { sessionId: string; record: ChatRecord | undefined; onRevoked: () => void }) => {
  const [isAsking, setIsAsking] = useState(false)
  const request = useRequest(() => revokeLinks(props.sessionId), 'The links were not revoked:')
  const last = props.record?.linkRevocations.at(-1)

  const show = (isOpen: boolean) => {
    request.reset()
    setIsAsking(isOpen)
  }

  const revoke = async () => {
    if (!(await request.ask())) return
    show(false)
    props.onRevoked()
  }
  return (
    <div>
      <Button look="quiet" onClick={() => show(true)} css={{ width: '100%' }}>
        Revoke links
      </Button>
      {last && (
        <p css={{ marginTop: space.hair, color: colour.soft, fontSize: '0.8125rem', lineHeight: 1.45 }}>
          Links revoked {momentOf(last.timestamp)} by {last.by ?? A_FORMER_COLLEAGUE}.
        </p>
      )}
      {isAsking && (
        <Question
          isBusy={request.state === 'busy'}
          hasFailed={request.state === 'failed'}
          onRevoke={revoke}
          onClose={() => show(false)}
        />
      )}
    </div>
  )
}
