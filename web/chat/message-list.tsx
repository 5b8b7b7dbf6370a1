import { useEffect, useRef } from 'react'
import type { ChatMessage } from '../../events/chat.ts'
import { colour, space, type } from '../ui/theme.ts'
import type { Conversation } from './conversation.ts'

const Bubble = (props: { isOwn: boolean; name: string; text: string; note: string; isBad?: boolean }) => (
  <li css={{ maxWidth: '84%', alignSelf: props.isOwn ? 'flex-end' : 'flex-start' }}>
    <p
      css={{
        padding: `${space.tight} ${space.snug}`,
        borderRadius: props.isOwn ? '0.75rem 0.75rem 0.125rem 0.75rem' : '0.75rem 0.75rem 0.75rem 0.125rem',
        background: props.isOwn ? colour.accent : colour.sunk,
        color: props.isOwn ? colour.onAccent : colour.ink,
        lineHeight: 1.45,
        overflowWrap: 'anywhere',
        whiteSpace: 'pre-wrap',
      }}
    >
      {props.text}
    </p>
    <p
      css={{
        marginTop: space.hair,
        color: props.isBad ? colour.bad : colour.soft,
        fontSize: '0.8125rem',
        textAlign: props.isOwn ? 'right' : 'left',
      }}
    >
      {props.name} · {props.note}
    </p>
  </li>
)

/** A chat as one side sees it: own messages on the right, each with its sender, its time and how far it has come. */
export const MessageList = (props: {
  label: string
  conversation: Conversation
  ownType: ChatMessage['senderType']
  ownName: string
  timeOf: (timestamp: string) => string
  welcome?: { name: string; message: string; timestamp: string } | undefined
  typing?: string | undefined
}) => {
  const { timeOf } = props
  const { messages, unsent } = props.conversation
  const end = useRef<HTMLDivElement>(null)
  const count = messages.length + unsent.length
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message is what scrolls
  useEffect(() => {
    const list = end.current?.parentElement
    list?.scrollTo({ top: list.scrollHeight })
  }, [count, props.typing])
  return (
    <div
      role="log"
      aria-label={props.label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
      tabIndex={0}
      css={{ flex: 1, minHeight: 0, padding: space.base, overflowY: 'auto', overscrollBehavior: 'contain' }}
    >
      <ul css={{ display: 'flex', flexDirection: 'column', gap: space.base }}>
        {props.welcome && (
          <Bubble
            isOwn={false}
            name={props.welcome.name}
            text={props.welcome.message}
            note={timeOf(props.welcome.timestamp)}
          />
        )}
        {messages.map((message) => {
          const isOwn = message.senderType === props.ownType
          const note = isOwn ? `${timeOf(message.timestamp)} · Sent` : timeOf(message.timestamp)
          return <Bubble key={message.id} isOwn={isOwn} name={message.senderName} text={message.message} note={note} />
        })}
        {unsent.map(({ clientMessageId, message, refused }) => (
          <Bubble
            key={clientMessageId}
            isOwn
            name={props.ownName}
            text={message}
            note={refused === undefined ? 'Sending' : `Not sent: ${refused}`}
            isBad={refused !== undefined}
          />
        ))}
      </ul>
      <div ref={end} css={{ minHeight: '1.5rem', marginTop: space.tight, color: colour.soft, fontSize: type.small }}>
        {props.typing}
      </div>
    </div>
  )
}
