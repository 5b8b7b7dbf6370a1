import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import type { Receipt } from '../../../events/chat/activity.ts'
import type { Party } from '../../../events/chat/parties.ts'
import type { ChatMessage } from '../../../events/chat/wire.ts'
import { useNow } from '../../ui/now.ts'
import { colour, space, type } from '../../ui/theme.ts'
import { type Conversation, newestSequence } from '../messaging/conversation.ts'
import type { FileStore } from '../messaging/file-transfer.ts'
import { ticksOf } from '../messaging/receipts.ts'
import { Bubble } from './bubble.tsx'
import { type DayOf, type Entry, withDays } from './days.tsx'
import { ReceiptTicks } from './receipt-ticks.tsx'
import { isLate, UnsentChoices, unsentNote } from './unsent-note.tsx'

// A message has the same place and element from the moment it is written until after it was sent.
const keyOf = (message: { id?: string; clientMessageId?: string }, isOwn: boolean) =>
  isOwn && message.clientMessageId !== undefined ? `own ${message.clientMessageId}` : message.id

/** A reader who has scrolled up by no more than this still counts as reading the end. */
const AT_END_PX = 48

/**
 * Keeps the end of a list in view: of each new message, and of content that grows or shrinks while the end is being
 * read.
 */
const useEndInView = (list: RefObject<HTMLDivElement | null>, end: number) => {
  const isAtEnd = useRef(true)
  useEffect(() => {
    const element = list.current
    if (!element) return
    // Growth since the last check, such as a picture that has loaded, does not count as scrolling up; nor does content
    // above or below the list that leaves it less room.
    let height = element.scrollHeight
    let room = element.clientHeight
    const note = () => {
      const end = Math.min(height, element.scrollHeight) - Math.max(room, element.clientHeight)
      isAtEnd.current = end - element.scrollTop < AT_END_PX
    }
    const resized = new ResizeObserver(() => {
      height = element.scrollHeight
      room = element.clientHeight
      if (isAtEnd.current) element.scrollTo({ top: element.scrollHeight, behavior: 'instant' })
    })
    for (const watched of [element, ...element.children]) resized.observe(watched)
    element.addEventListener('scroll', note)
    return () => {
      resized.disconnect()
      element.removeEventListener('scroll', note)
    }
  }, [list])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message is what scrolls
  useEffect(() => {
    isAtEnd.current = true
    list.current?.scrollTo({ top: list.current.scrollHeight, behavior: 'instant' })
  }, [end])
}

type UnsentProps = {
  message: Conversation['unsent'][number]
  name: string
  now: Date
  store: FileStore
  onRetry: ((clientMessageId: string) => void) | undefined
}

const UnsentBubble = ({ message, name, now, store, onRetry }: UnsentProps) => {
  const isBad = message.refused !== undefined || isLate(message, now)
  return (
    <Bubble
      isOwn
      name={name}
      text={message.message}
      file={message.file}
      store={store}
      note={unsentNote(message, now)}
      isBad={isBad}
    >
      {onRetry && isBad && (
        <UnsentChoices
          message={message.message}
          canRetry={message.refused !== undefined}
          onRetry={() => onRetry(message.clientMessageId)}
        />
      )}
    </Bubble>
  )
}

/** The opening message of the support team, before the first written one, with its time if it is known. */
type Opening = { name: string; message: string; timestamp?: string }

type OpeningProps = { opening: Opening; timeOf: (timestamp: string) => string; store: FileStore }

const OpeningBubble = ({ opening: { name, message, timestamp }, timeOf, store }: OpeningProps) => (
  <Bubble isOwn={false} name={name} text={message} note={timestamp && timeOf(timestamp)} store={store} />
)

/** A chat as one side sees it: own messages on the right, each with its sender, its time, and its tick. */
export const MessageList = (props: {
  label: string
  conversation: Conversation
  ownType: Party
  ownName: string
  store: FileStore
  /** The other side's receipt for one's own messages. */
  receipt: Receipt
  timeOf: (timestamp: string) => string
  dayOf: DayOf
  /** Staff also see which of them wrote a reply. */
  writerOf?: (message: ChatMessage) => string | undefined
  above?: ReactNode
  opening?: readonly Opening[]
  typing?: string | undefined
  onRetry?: (clientMessageId: string) => void
}) => {
  const { timeOf, dayOf, onRetry, store } = props
  const { messages, unsent } = props.conversation
  const ticks = ticksOf(messages, props.ownType, props.receipt)
  const list = useRef<HTMLDivElement>(null)
  const now = useNow(unsent.length > 0 ? 1_000 : 60_000)
  useEndInView(list, newestSequence(props.conversation) + unsent.length)
  const entries: Entry[] = [
    ...(props.opening ?? []).map((opening) => {
      const key = opening.timestamp ?? opening.message
      return { key, at: opening.timestamp, shown: <OpeningBubble key={key} opening={opening} {...{ timeOf, store }} /> }
    }),
    ...messages.map((message) => {
      const isOwn = message.senderType === props.ownType
      const tick = ticks.get(message.id)
      const note = (
        <>
          {timeOf(message.timestamp)} {tick && <ReceiptTicks tick={tick} />}
        </>
      )
      const key = keyOf(message, isOwn)
      const { file } = message
      const writer = props.writerOf?.(message)
      const from = writer ? `${message.senderName} (${writer})` : message.senderName
      const bubble = { isOwn, name: from, text: message.message, note, file, store }
      return { key, at: message.timestamp, shown: <Bubble key={key} {...bubble} /> }
    }),
    ...unsent.map((message) => {
      const key = keyOf(message, true)
      const bubble = { message, now, store, onRetry }
      return { key, at: message.timestamp, shown: <UnsentBubble key={key} name={props.ownName} {...bubble} /> }
    }),
  ]
  return (
    <div
      ref={list}
      role="log"
      aria-label={props.label}
      aria-relevant="additions"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
      tabIndex={0}
      css={{
        flex: 1,
        minHeight: 0,
        padding: `${space.base} ${space.base} 0`,
        overflowY: 'auto',
        overscrollBehavior: 'contain',
        ':focus-visible': { outlineOffset: -3 },
      }}
    >
      {props.above}
      <ul css={{ display: 'flex', flexDirection: 'column', gap: space.base }}>{withDays(entries, dayOf, now)}</ul>
      <div css={{ minHeight: '1.5rem', margin: `${space.tight} 0`, color: colour.soft, fontSize: type.small }}>
        {props.typing}
      </div>
    </div>
  )
}
