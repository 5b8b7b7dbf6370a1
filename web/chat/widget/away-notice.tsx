import { useEffect, useState } from 'react'
import { backAt, backInWords, closedFor, DEFAULT_SUPPORT_HOURS } from '../../../events/settings/support-time.ts'
import { loadSupportHours } from '../../client/support-hours.ts'
import { ClockIcon } from '../../ui/icons.tsx'
import { useNow } from '../../ui/now.ts'
import { colour, space, type } from '../../ui/theme.ts'
import { Unbroken } from '../../ui/unbroken.tsx'
import { hasAnswer } from '../messaging/conversation.ts'
import { prefilledWhatsapp } from '../parts/prefilled-whatsapp.ts'
import { isOfLink, latestEmail, type Session } from '../visitor/stored-chat.ts'
import type { VisitorChat } from '../visitor/visitor-state.ts'
import type * as AwayEmailCode from './away-email.tsx'

const FETCH_EVERY_MS = 60_000

/** A chat with a reply this recent counts as attended, whatever the hours. */
const ANSWER_HOLDS_MS = 30 * 60_000

let known: Awaited<ReturnType<typeof loadSupportHours>> | undefined

/** How the agency replies at the moment, as last sent by the node; undefined before that. */
const useAnswering = () => {
  const [answering, setAnswering] = useState(known)
  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    const look = () => {
      if (document.hidden) return
      loadSupportHours({ signal })
        .then((answering) => {
          known = answering
          setAnswering(answering)
        })
        .catch(() => {})
    }
    look()
    const timer = setInterval(look, FETCH_EVERY_MS)
    document.addEventListener('visibilitychange', look, { signal })
    return () => {
      clearInterval(timer)
      leaving.abort()
    }
  }, [])
  return answering
}

/** Whether staff are replying in this chat, or it has ended. */
const isAttended = ({ hasEnded, isSupportTyping, conversation }: VisitorChat, now: Date) => {
  const answer = conversation.messages.findLast(({ senderType }) => senderType === 'admin')
  const isAnswered = answer !== undefined && now.getTime() - Date.parse(answer.timestamp) < ANSWER_HOLDS_MS
  return hasEnded || isSupportTyping || isAnswered
}

/** How long a visitor waits for a first reply before other ways are offered. */
const LATE_AFTER_MS = 60_000

/** Whether a visitor has waited long for the first reply, by this device alone: its clock may be wrong. */
const useLateAnswer = ({ session, conversation: { messages }, hasEnded, isSupportTyping }: VisitorChat) => {
  const [isLate, setLate] = useState(false)
  const isWaiting = session !== undefined && !hasEnded && messages.length > 0 && !hasAnswer(messages)
  useEffect(() => {
    setLate(false)
    if (!isWaiting) return
    const timer = setTimeout(() => setLate(true), LATE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [isWaiting])
  return isLate && !isSupportTyping
}

/** Whether a reply can come by email; undefined until the node has responded: then none is promised. */
export type CanEmail = boolean | undefined

/**
 * The text about what to leave if a first reply is late; promises and asks nothing until it is known how a reply
 * arrives.
 */
const lateAdvice = (canEmail: CanEmail, hasPhone: boolean) => {
  if (canEmail === undefined || hasPhone) return 'You can also'
  const wanted = canEmail ? 'email address' : 'phone number in a message'
  return `We reply within 2 hours during business hours: leave your ${wanted}, or`
}

const LateText = ({ draft, canEmail, hasPhone }: { draft: string; canEmail: CanEmail; hasPhone: boolean }) => (
  <p role="status">
    Nobody has been free to answer yet. {lateAdvice(canEmail, hasPhone)}{' '}
    <a href={prefilledWhatsapp(draft || 'Hi! I have a question.')} target="_blank" rel="noreferrer">
      message us on WhatsApp
    </a>
    .
  </p>
)

/**
 * The text about what to leave: out of hours a reply arrives by email, if the site can send one, or by telephone. A
 * visitor who came by the link of an email has given an address.
 */
const leaveAdvice = (session: Session | undefined, canEmail: CanEmail) => {
  if (canEmail === undefined || session?.visitorPhone) return 'a message.'
  if (!canEmail) return 'a message with your phone number, or look in here again for our answer.'
  return session && (latestEmail(session) || isOfLink(session)) ? 'a message.' : 'a message and your email address.'
}

/** When the team is back, in words, and why it is away, if the agency has entered a reason. */
export type Away = { back: string; reason: string | undefined }

/** When the team is back, unless it is there or staff reply anyway; and whether a reply can come by email. */
export const useAway = (chat: VisitorChat): { away: Away | undefined; canEmail: CanEmail } => {
  const now = useNow()
  const hours = useAnswering()
  const answering = hours ?? DEFAULT_SUPPORT_HOURS
  const back = backAt(now, answering)
  const isAway = back !== undefined && !isAttended(chat, now)
  return {
    away: isAway ? { back: backInWords(back, now), reason: closedFor(now, answering) } : undefined,
    canEmail: hours && hours.reachesPeople !== false,
  }
}

/** The form for an address: its code is loaded once a chat shows it. */
const useAwayEmail = (isShown: boolean, isConnected: boolean) => {
  const [code, setCode] = useState<typeof AwayEmailCode>()
  useEffect(() => {
    // loaded code is not fetched again; a failed fetch is repeated with the next connection
    if (isShown && isConnected) import('./away-email.tsx').then(setCode, () => {})
  }, [isShown, isConnected])
  return isShown ? code?.AwayEmail : undefined
}

/**
 * Outside support hours: when the team is back, that a message is welcome, and, once the chat has begun, where the
 * reply goes. `away` is undefined while the team is there: then only an address that is being typed stays, or, if a
 * first reply is late, the same question for an address. If no email can be sent (`canEmail`), none is asked for.
 */
export const AwayPanel = ({
  chat,
  away,
  canEmail,
}: {
  chat: VisitorChat
  away: Away | undefined
  canEmail: CanEmail
}) => {
  const { session } = chat
  const [isBusy, setBusy] = useState(false)
  const isLate = useLateAnswer(chat)
  const isOpen = away !== undefined || isLate || isBusy
  const hasPhone = session?.visitorPhone !== undefined
  const takesEmail = canEmail === true && !hasPhone && chat.isOwn && !chat.hasEnded && !chat.pendingLink
  const AwayEmail = useAwayEmail(isOpen && takesEmail, chat.isConnected)
  if (!isOpen) return null
  return (
    <div
      css={{
        display: 'grid',
        gridTemplateColumns: 'auto minmax(0, 1fr)',
        gap: space.tight,
        flex: 'none',
        padding: `${space.snug} ${space.base}`,
        borderBottom: `2px solid ${colour.sun}`,
        background: colour.clayWash,
        fontSize: type.small,
        lineHeight: 1.45,
        '& svg': { marginTop: '0.0625rem', color: colour.clay },
      }}
    >
      <ClockIcon />
      <div>
        {away && (
          <p>
            {away.reason && `${away.reason}. `}We’re back <strong css={{ fontWeight: 600 }}>{away.back}</strong>, South
            African time. Leave <Unbroken>{leaveAdvice(session, canEmail)}</Unbroken>
          </p>
        )}
        {!away && isLate && <LateText draft={chat.draft} canEmail={canEmail} hasPhone={hasPhone} />}
        {AwayEmail && session && <AwayEmail key={session.joinKey} chat={chat} session={session} onBusy={setBusy} />}
      </div>
    </div>
  )
}
