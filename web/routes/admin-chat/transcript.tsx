import { useId, useState } from 'react'
import * as v from 'valibot'
import type { ChatSession } from '../../../events/chat.ts'
import { requiredEmail } from '../../../events/text.ts'
import { useColleagues } from '../../staff/colleagues.ts'
import { momentOf } from '../../staff/lead-day.ts'
import { Button } from '../../ui/button.tsx'
import { colour, space, type } from '../../ui/theme.ts'
import { type ChatRecord, sendTranscript } from './chat-record.ts'

const address = requiredEmail('No address')

/** Why no transcript can be sent; undefined where one can. */
const reasonAgainst = (email: string | null, messages: number) => {
  if (!email) return 'The visitor left no e-mail address.'
  if (!v.is(address, email)) return `“${email}” is no e-mail address.`
  return messages === 0 ? 'Nobody has written anything yet.' : undefined
}

/** Sends the visitor the conversation, and tells when that was done before. */
export const Transcript = (props: {
  session: ChatSession
  messages: number
  record: ChatRecord | undefined
  onSent: () => void
}) => {
  const noteId = useId()
  const { data: colleagues } = useColleagues()
  const [state, setState] = useState<'idle' | 'sending' | 'sent' | 'failed'>('idle')
  const { sessionId, visitorEmail } = props.session
  const reason = reasonAgainst(visitorEmail, props.messages)
  const last = props.record?.transcripts.at(-1)
  const nameOf = (id: string) =>
    colleagues?.find((colleague) => colleague.id === id)?.displayName ?? 'a former colleague'
  const isOff = reason !== undefined || state === 'sending'

  const send = async () => {
    if (isOff) return
    setState('sending')
    try {
      await sendTranscript(sessionId)
      setState('sent')
      props.onSent()
    } catch (error) {
      console.warn('The transcript was not sent:', error)
      setState('failed')
    }
  }
  return (
    <div>
      <Button
        look="quiet"
        aria-disabled={isOff}
        aria-describedby={noteId}
        onClick={send}
        css={{ width: '100%', minHeight: '2.5rem' }}
      >
        E-mail transcript
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
        {reason && <p>{reason}</p>}
        <p role="status" css={state === 'failed' ? { color: colour.bad, fontSize: type.small } : undefined}>
          {state === 'sending' && 'Sending...'}
          {state === 'sent' && `On its way to ${visitorEmail}.`}
          {state === 'failed' && 'The transcript was not sent. Try again.'}
        </p>
        {last && (
          <p>
            Last sent {momentOf(last.timestamp)} by {nameOf(last.by)}.
          </p>
        )}
      </div>
    </div>
  )
}
