import { useState } from 'react'
import { valueFor } from '../../../events/base/name-of.ts'
import type { Recipient } from '../../../events/email/email.ts'
import type { ListedEmail } from '../../../events/email/wire.ts'
import { serverNow } from '../../client/server-time.ts'
import { momentOf } from '../../staff/day.ts'
import { resendEmail } from '../../staff/email/emails.ts'
import { useBusy } from '../../staff/requests/use-busy.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, firstFocus } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast/toasts.ts'

const GETS_IT: Record<Recipient, string> = { agency: 'The agency gets', visitor: 'They get', staff: 'They get' }

/** Asks before a delivered email is sent again: the second one cannot be recalled. */
const SecondCopy = (props: { email: ListedEmail; onSend: () => void; onClose: () => void }) => {
  const { recipient, tries, person } = props.email
  const delivered = tries.find(({ kind }) => kind === 'delivered')
  return (
    <Dialog title="Send this email again?" onClose={props.onClose}>
      {person && <p css={{ fontWeight: 600 }}>{person}</p>}
      <p>
        {delivered ? `It was delivered on ${momentOf(delivered.at)}.` : 'It was delivered.'}{' '}
        {valueFor(GETS_IT, recipient) ?? 'They get'} a second copy.
      </p>
      <DialogActions>
        <Button onClick={props.onSend}>Send a second copy</Button>
        <Button ref={firstFocus} look="outline" onClick={props.onClose}>
          Cancel
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/** The button that sends an email again: at once if it did not arrive, else after a confirmation. */
export const SendAgain = ({ email, show }: { email: ListedEmail; show: (email: ListedEmail) => void }) => {
  const { isBusy, run } = useBusy('Not sent again')
  const [isQuestioned, setQuestioned] = useState(false)
  /** Shows at once that it waits; reverted if the request fails. */
  const resend = async () => {
    if (isBusy) return
    show({ ...email, state: 'pending', isStuck: false, dueAt: serverNow().toISOString() })
    if (!(await run(() => resendEmail(email)))) return show(email)
    toast({ title: 'Sending again', description: 'This list shows once it has gone out.' })
  }
  return (
    <>
      <Button
        look="quiet"
        aria-disabled={isBusy}
        onClick={() => (email.state === 'delivered' ? setQuestioned(true) : resend())}
      >
        {isBusy ? 'Asking...' : 'Send again'}
      </Button>
      {isQuestioned && (
        <SecondCopy
          email={email}
          onSend={() => {
            setQuestioned(false)
            resend()
          }}
          onClose={() => setQuestioned(false)}
        />
      )}
    </>
  )
}
