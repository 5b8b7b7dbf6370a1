import { Global } from '@emotion/react'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { SUPPORT_TEAM_NAME } from '../../../events/chat/chat.ts'
import { isComposing } from '../../ui/composing.ts'
import { useOverlayHistory } from '../../ui/overlay-history.ts'
import { barWithoutChat, hiddenWhileTyping } from '../../ui/phone-bar.tsx'
import { colour, radius, shadow, unseen, withBar } from '../../ui/theme.ts'
import { unreadCount } from '../messaging/conversation.ts'
import { resumeChat, showChat } from '../visitor/visitor-actions.ts'
import { type VisitorChat, visitorChat } from '../visitor/visitor-state.ts'
import { type Away, AwayPanel, type CanEmail, useAway } from './away-notice.tsx'
import type { ChatAction } from './chat-menu.tsx'
import { Talk } from './chat-view.tsx'
import { cornerPosition } from './corner-position.ts'
import { useCoveredField } from './covered-field.ts'
import { Launcher } from './launcher.tsx'
import { LinkQuestion } from './link-question.tsx'
import { asSheet, CoveredPage, isSheet, sheet, useVisibleWindow } from './sheet.tsx'
import { StartForm } from './start-form.tsx'
import type { Teammate } from './team.tsx'
import { HEADER_HEIGHT_PX, WidgetHeader } from './widget-header.tsx'

/** Sizes in px. On a phone the expanded chat is a sheet; else a smaller window makes it smaller. */
const EXPANDED = { width: 384, height: 500 }
const MINIMISED = { width: 320, height: HEADER_HEIGHT_PX }

/** In a small window a minimised chat covers nothing permanently: the page ends above it. */
const roomBelow = { [withBar]: { html: { '--minimised': `calc(${HEADER_HEIGHT_PX}px + 1rem)` }, ...barWithoutChat } }

const closeChat = () => showChat('closed')

/** The text for screen readers, besides the conversation itself. */
const announcement = ({ view, conversation }: VisitorChat, unread: number) => {
  if (view === 'expanded') {
    const isRefused = conversation.unsent.some(({ refused }) => refused !== undefined)
    return isRefused ? 'A message was not sent. You can send it on WhatsApp.' : ''
  }
  if (unread === 0) return ''
  return `${unread} unread ${unread === 1 ? 'message' : 'messages'} from the ${SUPPORT_TEAM_NAME}`
}

type Open = { chat: VisitorChat; team: readonly Teammate[] }

/** The content of an expanded chat below its header. */
type StageProps = Open & {
  away: Away | undefined
  canEmail: CanEmail
  question: ChatAction | undefined
  onAnswer: () => void
}

const Stage = ({ chat, team, away, canEmail, question, onAnswer }: StageProps) => {
  const { session, conversation, draft } = chat
  return (
    <>
      <AwayPanel chat={chat} away={away} canEmail={canEmail} />
      {chat.pendingLink ? (
        <LinkQuestion hasUnsent={conversation.unsent.length > 0 || draft.trim() !== ''} />
      ) : session ? (
        <Talk key={session.joinKey} {...{ chat, session, canEmail, question, onAnswer }} />
      ) : (
        <StartForm chat={chat} team={team} isAway={away !== undefined} canEmail={canEmail} />
      )}
    </>
  )
}

const OpenChat = ({ chat, team, unread }: Open & { unread: number }) => {
  const { away, canEmail } = useAway(chat)
  const isExpanded = chat.view === 'expanded'
  const joinKey = chat.session?.joinKey
  const [asked, setAsked] = useState<{ of: string | undefined; question: ChatAction }>()
  const question = isExpanded && asked?.of === joinKey ? asked?.question : undefined
  const ask = (question: ChatAction) => setAsked({ of: joinKey, question })
  return (
    <>
      <WidgetHeader chat={chat} away={away} unread={unread} team={team} onAsk={ask} />
      {isExpanded ? <CoveredPage /> : <Global styles={roomBelow} />}
      {isExpanded && <Stage {...{ chat, team, away, canEmail, question }} onAnswer={() => setAsked(undefined)} />}
    </>
  )
}

export const ChatWidget = ({ team = [] }: { team?: readonly Teammate[] }) => {
  const chat = useSyncExternalStore(visitorChat.subscribe, visitorChat.get, visitorChat.initial)
  const opener = useRef<Element>(null)
  const frame = useRef<HTMLElement>(null)
  const wasOpen = useRef(false)
  const isOpen = chat.view !== 'closed'
  useEffect(() => {
    const open = () => {
      opener.current = document.activeElement === document.body ? null : document.activeElement
      showChat('expanded')
    }
    addEventListener('open-chat', open)
    const leave = resumeChat()
    return () => {
      removeEventListener('open-chat', open)
      leave()
    }
  }, [])
  // A visitor who closes the chat returns to the element that opened it.
  useEffect(() => {
    if (isOpen || !opener.current) return
    if (opener.current instanceof HTMLElement) opener.current.focus()
    opener.current = null
  }, [isOpen])
  const unread = unreadCount(chat.conversation, 'admin', chat.seen)
  const isExpanded = chat.view === 'expanded'
  useVisibleWindow(frame, isExpanded)
  useOverlayHistory('chat', isExpanded && isSheet(), closeChat)
  useCoveredField(frame, isExpanded)
  const takesFocus = wasOpen.current && !opener.current
  if (isOpen) wasOpen.current = true
  return (
    <>
      {isOpen ? (
        <section
          ref={frame}
          aria-label="Live chat"
          onKeyDown={(event) => event.key === 'Escape' && !isComposing(event.nativeEvent) && closeChat()}
          css={{
            ...cornerPosition,
            display: 'flex',
            flexDirection: 'column',
            ...(isExpanded ? EXPANDED : MINIMISED),
            maxWidth: 'calc(100vw - 2rem)',
            maxHeight: 'calc(100dvh - 2rem - var(--bar))',
            overflow: 'hidden',
            containerType: 'size',
            borderRadius: radius.card,
            background: colour.sheet,
            boxShadow: shadow.floating,
            // visible if the system chooses the colours: then page and chat have the same background
            outline: '1px solid transparent',
            ...(isExpanded ? { [asSheet]: sheet } : { [withBar]: hiddenWhileTyping }),
          }}
        >
          <OpenChat chat={chat} team={team} unread={unread} />
        </section>
      ) : (
        <Launcher unread={unread} takesFocus={takesFocus} onOpen={() => showChat('expanded')} />
      )}
      <p role="status" css={unseen}>
        {announcement(chat, unread)}
      </p>
    </>
  )
}
