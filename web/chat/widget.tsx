import { type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react'
import { SUPPORT_TEAM_NAME } from '../../events/chat.ts'
import { Button } from '../ui/button.tsx'
import { ChatIcon, CloseIcon, MinimiseIcon } from '../ui/icons.tsx'
import { colour, radius, shadow, space, type } from '../ui/theme.ts'
import { ConnectionLight } from './connection-light.tsx'
import { badge, unreadCount } from './conversation.ts'
import { MessageForm } from './message-form.tsx'
import { MessageList } from './message-list.tsx'
import { StartForm } from './start-form.tsx'
import {
  endChat,
  resumeChat,
  sendMessage,
  showChat,
  startChat,
  typing,
  type VisitorChat,
  visitorChat,
} from './visitor.ts'

// The visitor's own clock; staff see the agency's.
const timeOf = (timestamp: string) =>
  new Date(timestamp).toLocaleTimeString('en-ZA', { hour: '2-digit', minute: '2-digit', hour12: false })

const corner = { position: 'fixed', zIndex: 50, right: space.base, bottom: space.base } as const

const Badge = ({ count }: { count: number }) => (
  <span
    css={{
      display: 'block',
      minWidth: '1.5rem',
      padding: '0 0.375rem',
      borderRadius: radius.round,
      background: colour.bad,
      color: colour.onAccent,
      fontSize: '0.8125rem',
      fontWeight: 700,
      lineHeight: '1.5rem',
      textAlign: 'center',
    }}
  >
    {badge(count)}
  </span>
)

const Launcher = ({ unread, focused }: { unread: number; focused: boolean }) => {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (focused) button.current?.focus()
  }, [focused])
  return (
    <button
      ref={button}
      type="button"
      aria-label={unread ? `Open chat, ${badge(unread)} unread` : 'Open chat'}
      onClick={() => showChat('expanded')}
      css={{
        ...corner,
        display: 'grid',
        placeItems: 'center',
        width: '3.75rem',
        height: '3.75rem',
        border: `2px solid ${colour.sheet}`,
        borderRadius: radius.round,
        background: colour.accent,
        boxShadow: shadow.floating,
        color: colour.onAccent,
        fontSize: '1.375rem',
        ':hover': { background: colour.accentDeep },
        ':focus-visible': { borderRadius: radius.round },
      }}
    >
      <ChatIcon />
      {unread > 0 && (
        <span css={{ position: 'absolute', top: -6, right: -6, lineHeight: 1 }}>
          <Badge count={unread} />
        </span>
      )}
    </button>
  )
}

const HeaderButton = (props: { label: string; onClick: () => void; children: ReactNode }) => (
  <button
    type="button"
    aria-label={props.label}
    onClick={props.onClick}
    css={{
      display: 'grid',
      placeItems: 'center',
      width: '2.25rem',
      height: '2.25rem',
      border: 0,
      borderRadius: radius.control,
      background: 'transparent',
      color: 'inherit',
      ':hover': { background: 'rgb(255 255 255 / 14%)' },
      ':focus-visible': { outlineColor: colour.onInk },
    }}
  >
    {props.children}
  </button>
)

const Header = ({ chat, unread }: { chat: VisitorChat; unread: number }) => {
  const isExpanded = chat.view === 'expanded'
  return (
    <div
      css={{
        display: 'flex',
        alignItems: 'center',
        gap: space.hair,
        flex: 'none',
        height: 64,
        padding: `0 ${space.tight} 0 ${space.base}`,
        background: colour.ink,
        color: colour.onInk,
      }}
    >
      <div css={{ flex: 1 }}>
        <h2 css={{ fontSize: type.body, letterSpacing: 0 }}>Live chat</h2>
        <ConnectionLight isConnected={chat.isConnected} />
      </div>
      {!isExpanded && unread > 0 && <Badge count={unread} />}
      <HeaderButton
        label={isExpanded ? 'Minimise chat' : 'Expand chat'}
        onClick={() => showChat(isExpanded ? 'minimised' : 'expanded')}
      >
        {isExpanded ? <MinimiseIcon /> : <ChatIcon />}
      </HeaderButton>
      <HeaderButton label="Close chat" onClick={() => showChat('closed')}>
        <CloseIcon />
      </HeaderButton>
    </div>
  )
}

const Ended = ({ session }: { session: NonNullable<VisitorChat['session']> }) => (
  <div css={{ padding: space.snug, borderTop: `1px solid ${colour.line}`, textAlign: 'center' }}>
    <p css={{ marginBottom: space.tight, color: colour.soft, fontSize: type.small }}>This chat has ended.</p>
    <Button look="quiet" onClick={() => startChat(session.visitorName, session.visitorEmail)}>
      Start a new chat
    </Button>
  </div>
)

const Talk = ({ chat, session }: { chat: VisitorChat; session: NonNullable<VisitorChat['session']> }) => (
  <>
    <MessageList
      label="Conversation"
      conversation={chat.conversation}
      ownType="visitor"
      ownName={session.visitorName}
      timeOf={timeOf}
      welcome={session.welcome && { name: SUPPORT_TEAM_NAME, ...session.welcome }}
      typing={chat.isSupportTyping ? `${SUPPORT_TEAM_NAME} is typing` : undefined}
    />
    {!chat.isConnected && (
      <p role="status" css={{ padding: `0 ${space.base} ${space.tight}`, color: colour.soft, fontSize: type.small }}>
        Connecting to chat...
      </p>
    )}
    {chat.hasEnded ? (
      <Ended session={session} />
    ) : (
      <MessageForm
        placeholder="Type your message..."
        disabled={!chat.isConnected || !session.sessionId}
        onTyping={typing.typed}
        onSend={sendMessage}
      />
    )}
    {!chat.hasEnded && (
      <button
        type="button"
        onClick={endChat}
        disabled={!chat.isConnected}
        css={{
          alignSelf: 'center',
          marginBottom: space.tight,
          border: 0,
          background: 'transparent',
          color: colour.soft,
          fontSize: '0.8125rem',
          textDecoration: 'underline',
        }}
      >
        End chat
      </button>
    )}
  </>
)

/** The floating live chat of the public pages (specification, 4 and 9: sizes, stages, badge). */
export const ChatWidget = () => {
  const chat = useSyncExternalStore(visitorChat.subscribe, visitorChat.get, visitorChat.initial)
  const wasOpen = useRef(false)
  useEffect(() => {
    const open = () => showChat('expanded')
    resumeChat()
    addEventListener('open-chat', open)
    return () => removeEventListener('open-chat', open)
  }, [])
  const unread = unreadCount(chat.conversation, 'admin', chat.seen)
  if (chat.view === 'closed') return <Launcher unread={unread} focused={wasOpen.current} />
  wasOpen.current = true
  const isExpanded = chat.view === 'expanded'
  return (
    <section
      aria-label="Live chat"
      onKeyDown={(event) => event.key === 'Escape' && showChat('closed')}
      css={{
        ...corner,
        display: 'flex',
        flexDirection: 'column',
        width: isExpanded ? 384 : 320,
        height: isExpanded ? 500 : 64,
        maxWidth: 'calc(100vw - 2rem)',
        maxHeight: 'calc(100dvh - 2rem)',
        overflow: 'hidden',
        borderRadius: radius.card,
        background: colour.sheet,
        boxShadow: shadow.floating,
      }}
    >
      <Header chat={chat} unread={unread} />
      {isExpanded && (chat.session ? <Talk chat={chat} session={chat.session} /> : <StartForm />)}
    </section>
  )
}
