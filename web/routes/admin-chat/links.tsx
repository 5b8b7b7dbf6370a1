import { useState } from 'react'
import { phoneLinks } from '../../../events/base/phone.ts'
import type { ChatRecord } from '../../../events/chat/wire.ts'
import { A_FORMER_COLLEAGUE } from '../../../events/staff/staff.ts'
import { revokeLinks } from '../../staff/chat/chat-record.ts'
import { copyText } from '../../staff/copy-text.ts'
import { momentOf } from '../../staff/day.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Dialog, DialogActions, firstFocus } from '../../ui/dialog.tsx'
import { WhatsAppIcon } from '../../ui/icons.tsx'
import { colour, space, type, unseen } from '../../ui/theme.ts'
import { useRequest } from './use-request.ts'

const Question = (props: { isBusy: boolean; hasFailed: boolean; onRevoke: () => void; onClose: () => void }) => (
  <Dialog title="Turn off the visitor’s link?" onClose={props.onClose}>
    <p>
      Links that were sent before stop working, and pages opened from one are closed. The visitor keeps the chat on the
      device where it began. This cannot be undone.
    </p>
    <p role="status" css={{ color: colour.bad, fontSize: type.small }}>
      {props.hasFailed && 'The link was not turned off. Try again.'}
    </p>
    <DialogActions>
      <Button onClick={props.onRevoke} aria-disabled={props.isBusy}>
        Turn it off
      </Button>
      <Button ref={firstFocus} look="outline" onClick={props.onClose}>
        Keep it
      </Button>
    </DialogActions>
  </Dialog>
)

/** Opens WhatsApp with the link to a chat: to the visitor's number, or else to a contact that staff choose there. */
const whatsappWith = (phone: string, link: string) => {
  const text = `You can continue our chat here: ${link}`
  return `${phoneLinks(phone)?.whatsapp ?? 'https://wa.me/'}?text=${encodeURIComponent(text)}`
}

/**
 * The link by which a visitor returns to a chat: copied, sent by WhatsApp, or turned off once staff have confirmed it;
 * and when that was done last, and by which staff member. `phone` is the visitor's number, or empty.
 */
export const Links = (props: {
  sessionId: string
  phone: string
  record: ChatRecord | undefined
  onRevoked: () => void
}) => {
  const link = props.record?.link
  const [isAsking, setIsAsking] = useState(false)
  const request = useRequest(() => revokeLinks(props.sessionId), 'The link was not turned off:')
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
    <div css={{ display: 'grid', gap: space.tight }}>
      {link && (
        <>
          <Button look="quiet" onClick={() => copyText(link, 'Link copied')}>
            Copy the visitor’s link
          </Button>
          <ButtonLink look="quiet" href={whatsappWith(props.phone, link)} target="_blank" rel="noreferrer">
            <WhatsAppIcon /> Send it by WhatsApp<span css={unseen}> (new tab)</span>
          </ButtonLink>
        </>
      )}
      <Button look="quiet" onClick={() => show(true)}>
        Turn off the visitor’s link
      </Button>
      {last && (
        <p css={{ color: colour.soft, fontSize: type.small, lineHeight: 1.45 }}>
          Link turned off {momentOf(last.timestamp)} by {last.by ?? A_FORMER_COLLEAGUE}.
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
