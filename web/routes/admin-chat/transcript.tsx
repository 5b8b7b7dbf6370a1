import { useId } from 'react'
import { Link } from 'react-router'
import * as v from 'valibot'
import { requiredEmail } from '../../../events/base/text.ts'
import type { ChatRecord, ChatSession } from '../../../events/chat/wire.ts'
import { A_FORMER_COLLEAGUE } from '../../../events/staff/staff.ts'
import { sendTranscript } from '../../staff/chat/chat-record.ts'
import { momentOf } from '../../staff/day.ts'
import { storedForLater, useSendsTo } from '../../staff/email/emails.ts'
import { Button } from '../../ui/button.tsx'
import { colour, space, type } from '../../ui/theme.ts'
import { useRequest } from './use-request.ts'

const address = requiredEmail('No address')

/**
 * Why no transcript can be sent; undefined if one can. `last` is the newest sequence number, `sent` the last one of the
 * transcript that was sent.
 */
const reasonAgainst = (email: string | null, last: number, sent: number) => {
  if (!email) return 'The visitor left no email address.'
  if (!v.is(address, email)) return `"${email}" is no email address.`
  if (last === 0) return 'No messages yet.'
  return sent >= last ? 'Asked for already. See Email for whether it has gone out.' : undefined
}

/** Requests that the conversation be sent to the visitor, and shows when that was done before. */
export const Transcript = (props: {
  session: ChatSession
  /** The sequence number of the newest message. */
  newest: number
  record: ChatRecord | undefined
  onSent: () => void
}) => {
  const noteId = useId()
  const isSent = useSendsTo('visitor') !== false
  const { sessionId, visitorEmail } = props.session
  const { state, ask } = useRequest(() => sendTranscript(sessionId), 'The transcript was not sent:')
  const last = props.record?.transcripts.at(-1)
  const reason = reasonAgainst(visitorEmail, props.newest, last?.upTo ?? 0)
  const isOff = reason !== undefined || state === 'busy'

  const send = async () => {
    if (!isOff && (await ask())) props.onSent()
  }
  return (
    <div>
      <Button look="quiet" aria-disabled={isOff} aria-describedby={noteId} onClick={send} css={{ width: '100%' }}>
        Email transcript
      </Button>
      <div
        id={noteId}
        css={{
          display: 'grid',
          marginTop: space.hair,
          color: colour.soft,
          fontSize: '0.8125rem',
          lineHeight: 1.45,
          overflowWrap: 'anywhere',
        }}
      >
        {!reason && <p>{isSent ? `Goes to ${visitorEmail}` : `${storedForLater('the transcript')}.`}</p>}
        {reason && state !== 'done' && <p>{reason}</p>}
        <p role="status" css={state === 'failed' ? { color: colour.bad, fontSize: type.small } : undefined}>
          {state === 'busy' && 'Sending...'}
          {state === 'done' && (
            <>
              Asked for. See <Link to="/admin-email">Email</Link> for whether it has gone out.
            </>
          )}
          {state === 'failed' && 'The transcript was not sent. Try again.'}
        </p>
        {last && (
          <p>
            Last asked for {momentOf(last.timestamp)} by {last.by ?? A_FORMER_COLLEAGUE}.
          </p>
        )}
      </div>
    </div>
  )
}
