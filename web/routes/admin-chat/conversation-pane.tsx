import { type ReactNode, type RefObject, useCallback, useEffect, useRef } from 'react'
import { valueFor } from '../../../events/base/name-of.ts'
import { furthest } from '../../../events/chat/activity.ts'
import { SUPPORT_TEAM_NAME } from '../../../events/chat/chat.ts'
import type { ChatFile } from '../../../events/chat/file.ts'
import type { ENDERS } from '../../../events/chat/parties.ts'
import type { ChatAssignment, ChatRecord, ChatSession } from '../../../events/chat/wire.ts'
import { chatReplies } from '../../../events/settings/replies.ts'
import type { Colleague } from '../../../events/staff/wire.ts'
import type { Console } from '../../chat/console/console.ts'
import { hasGivenUp, type LiveChat, visitorPlaceOf } from '../../chat/console/console-state.ts'
import { trayOf } from '../../chat/messaging/file-tray.ts'
import { hasEarlier } from '../../chat/messaging/history.ts'
import { FileDrop } from '../../chat/parts/file-drop.tsx'
import { FileTrayList } from '../../chat/parts/file-tray-list.tsx'
import { MessageList } from '../../chat/parts/message-list.tsx'
import { presentName, useColleagues } from '../../staff/account/colleagues.ts'
import { holderInWords } from '../../staff/chat/chat-assignee.ts'
import { readEarlier } from '../../staff/chat/chat-record.ts'
import { visitorNameOf } from '../../staff/chat/visitor-name.ts'
import { dayInWords, dayOf, momentOf, timeOf } from '../../staff/day.ts'
import { useSettings } from '../../staff/settings/settings.ts'
import { Button } from '../../ui/button.tsx'
import { useNow } from '../../ui/now.ts'
import { colour, from, panel, space, type } from '../../ui/theme.ts'
import { ANSWER_ID, AnswerForm } from './answer-form.tsx'
import { AssignmentBar } from './assignment-bar.tsx'
import { Earlier } from './earlier.tsx'
import { Facts, folded, LOW } from './facts.tsx'
import { paneHeight } from './heights.ts'
import { RatingOfChat } from './rating.tsx'
import { UnsentText } from './unsent-text.tsx'
import type { Assigning } from './use-assigning.ts'
import { othersOf, viewersInWords } from './viewers.ts'
import { VisitorPresence } from './visitor-presence.tsx'
import { WaitingLead } from './waiting-lead.tsx'

const Pane = ({ children }: { children: ReactNode }) => (
  <section
    aria-label="Conversation"
    css={{
      display: 'flex',
      flexDirection: 'column',
      minWidth: 0,
      ...paneHeight,
      ...panel,
    }}
  >
    {children}
  </section>
)

const Header = (props: { title: string; heading?: RefObject<HTMLHeadingElement | null>; children?: ReactNode }) => (
  <div
    css={{
      display: 'flex',
      alignItems: 'center',
      justifyContent: 'space-between',
      gap: space.snug,
      flex: 'none',
      padding: `${space.tight} ${space.base}`,
      borderBottom: `1px solid ${colour.line}`,
      [`@media ${LOW}`]: { paddingBlock: space.hair },
    }}
  >
    <h2
      ref={props.heading}
      tabIndex={-1}
      css={{
        display: '-webkit-box',
        overflow: 'hidden',
        WebkitLineClamp: 6,
        WebkitBoxOrient: 'vertical',
        fontSize: type.body,
        letterSpacing: 0,
        lineHeight: 1.6,
        overflowWrap: 'anywhere',
        [folded]: { WebkitLineClamp: 2 },
      }}
    >
      {props.title}
    </h2>
    {props.children}
  </div>
)

/** The pane without a chat. With `takesFocus` its heading takes the focus of the chat that has gone. */
export const EmptyPane = ({
  title = 'Select a chat session',
  takesFocus,
  children,
}: {
  title?: string | undefined
  takesFocus: boolean
  children: ReactNode
}) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (takesFocus && document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
  }, [takesFocus])
  return (
    <Pane>
      <Header title={title} heading={heading} />
      <div css={{ margin: 'auto', padding: space.base, color: colour.soft, textAlign: 'center' }}>{children}</div>
    </Pane>
  )
}

const ENDED_BY: Record<(typeof ENDERS)[number], string> = {
  visitor: 'The visitor ended it.',
  admin: 'Staff ended it.',
  idle: 'Closed automatically after 24 h without a message.',
}

const Ended = ({ live, session, record, chat }: Pick<PaneProps, 'live' | 'session' | 'record' | 'chat'>) => {
  const { sessionId } = session
  const endTime = record?.session.endTime ?? session.endTime
  const { endedBy, rating } = record ?? {}
  const { draft, handoverNote: note } = live
  return (
    <div
      css={{
        display: 'grid',
        gap: space.tight,
        flex: 'none',
        padding: space.base,
        borderTop: `1px solid ${colour.line}`,
        color: colour.soft,
      }}
    >
      <p>
        This chat has ended{endTime && `: ${momentOf(endTime)}`}. {endedBy && valueFor(ENDED_BY, endedBy)}
      </p>
      {draft.trim() && (
        <UnsentText
          title="Your reply was not sent: the chat ended before."
          text={draft}
          onChange={(draft) => chat.keep(sessionId, { draft })}
        />
      )}
      {note.trim() && (
        <UnsentText
          title="Your note for a colleague was not sent: the chat ended before."
          text={note}
          onChange={(handoverNote) => chat.keep(sessionId, { handoverNote })}
        />
      )}
      {rating && <RatingOfChat rating={rating} />}
    </div>
  )
}

/**
 * Moves the focus into the chat if `takesFocus`: to the message field, or else to the heading. When the element with
 * the focus goes away, the heading takes it. `enter` moves it there at any time.
 */
const usePaneFocus = ({ takesFocus, isActive }: { takesFocus: boolean; isActive: boolean }) => {
  const pane = useRef<HTMLDivElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const isNew = useRef(true)
  const enter = useCallback(() => {
    const input = pane.current?.querySelector('textarea')
    // on a phone the focus would open the keyboard over the messages that staff came to read
    if (input && !matchMedia('(pointer: coarse)').matches) input.focus()
    else heading.current?.focus()
  }, [])
  useEffect(() => {
    if (takesFocus) enter()
  }, [takesFocus, enter])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end of a chat takes its input away
  useEffect(() => {
    if (!isNew.current && document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
    isNew.current = false
  }, [isActive])
  return { pane, heading, enter }
}

type PaneProps = {
  isConnected: boolean
  live: LiveChat
  session: ChatSession
  record: ChatRecord | undefined
  chat: Console
  assignment: ChatAssignment | undefined
  assigning: Assigning
  myId: string | undefined
  takesFocus: boolean
  onEnd: () => void
  /** Fetches the record again. */
  onChange: () => void
}

/** The greeting that the visitor replied to. */
const Greeting = ({ text }: { text: string }) => (
  <p css={{ marginBottom: space.base, color: colour.soft, fontSize: type.small, overflowWrap: 'anywhere' }}>
    Asked by the site: <bdi>{text}</bdi>
  </p>
)

const Conversation = ({ live, session, record, chat }: Pick<PaneProps, 'live' | 'session' | 'record' | 'chat'>) => {
  const { sessionId } = session
  const { data: colleagues = [] } = useColleagues()
  const visitor = visitorNameOf(session.visitorName)
  const { receipts } = live
  return (
    <MessageList
      label={`Messages with ${visitor}`}
      conversation={live}
      above={
        hasEarlier(live) ? (
          <Earlier
            read={() => readEarlier(sessionId, live.messages[0]?.sequence ?? 1)}
            onRead={(earlier) => chat.addEarlier(sessionId, earlier)}
          />
        ) : (
          session.greeting && <Greeting text={session.greeting} />
        )
      }
      ownType="admin"
      ownName={SUPPORT_TEAM_NAME}
      store={{ sessionId }}
      receipt={record ? furthest(receipts.visitor, record.receipts.visitor) : receipts.visitor}
      timeOf={timeOf}
      dayOf={(instant) => dayInWords(dayOf(instant))}
      writerOf={({ by, staffName }) => by && staffName && presentName({ staffId: by, name: staffName }, colleagues)}
      typing={live.isTyping ? `${visitor} is typing` : undefined}
    />
  )
}

/** The change that assigned a chat to its current assignee, if it came with a note. */
const handoverOf = ({ assignment, record }: PaneProps) => {
  const change = record?.assignments.at(-1)
  return change?.note && change.version === assignment?.version ? change : undefined
}

/** Whether a colleague handed me this chat with a note, and I have not replied since then. */
const hasNoteToRead = (props: PaneProps) => {
  const { live, session, assignment, myId } = props
  const handover = handoverOf(props)
  if (!handover || !session.isActive || assignment?.to?.staffId !== myId || handover.by.staffId === myId) return false
  return !live.messages.some(
    ({ by, timestamp }) => by === myId && Date.parse(timestamp) > Date.parse(handover.timestamp),
  )
}

/** A brief version of the facts that are shown in full above the messages. */
const briefOf = (props: PaneProps, colleagues: readonly Colleague[]) => {
  const { assignment, record, myId } = props
  return [
    assignment && holderInWords(assignment, { myId, colleagues }),
    record?.waitingLead && 'a lead waits',
    handoverOf(props) && 'with a note',
  ].filter((part) => typeof part === 'string')
}

export const ConversationPane = (props: PaneProps) => {
  const { isConnected, live, session, record, chat, takesFocus } = props
  const { sessionId, isActive } = session
  const { data: settings } = useSettings()
  const { data: colleagues = [] } = useColleagues()
  const { pane, heading, enter } = usePaneFocus({ takesFocus, isActive })
  const now = useNow()
  const here = visitorPlaceOf(live)
  const tray = trayOf(sessionId)
  const to = { store: { sessionId }, onStored: (file: ChatFile) => chat.sendFile(sessionId, file) }
  const canSendFiles = isActive && isConnected
  const addFiles = (files: File[]) => tray.add(files, to)
  return (
    <div
      ref={pane}
      css={{
        position: 'relative',
        minWidth: 0,
        scrollMarginBottom: space.tight,
        [from.large]: { scrollMarginBottom: space.base },
      }}
    >
      <FileDrop onFiles={canSendFiles ? addFiles : undefined}>
        <Pane>
          <Header title={`Chat with ${visitorNameOf(session.visitorName)}`} heading={heading}>
            {isActive && here !== undefined && (
              <span css={{ minWidth: 0, marginRight: 'auto', color: colour.soft, fontSize: type.small }}>
                <VisitorPresence here={here} firstPage={session.pageUrl} />
              </span>
            )}
            {isActive && (
              <Button look="quiet" disabled={!isConnected} onClick={props.onEnd} css={{ flex: 'none' }}>
                End chat
              </Button>
            )}
          </Header>
          <Facts
            session={session}
            others={viewersInWords(othersOf(live.viewers, { myId: props.myId, colleagues }))}
            isAway={isActive && here === null}
            hasGivenUp={hasGivenUp(live, now)}
            brief={briefOf(props, colleagues)}
            isToRead={props.assigning.error !== undefined || hasNoteToRead(props)}
          >
            <WaitingLead
              session={session}
              messages={live.messages}
              record={record}
              onChange={props.onChange}
              onLeft={enter}
            />
            {props.assignment && (
              <AssignmentBar
                assignment={props.assignment}
                handover={handoverOf(props)}
                assigning={props.assigning}
                myId={props.myId}
                isActive={isActive}
              />
            )}
          </Facts>
          <Conversation live={live} session={session} record={record} chat={chat} />
          {isActive ? (
            <>
              <FileTrayList tray={tray} formId={ANSWER_ID} to={to} />
              <AnswerForm
                isConnected={isConnected}
                draft={live.draft}
                replies={chatReplies(settings?.replies ?? [])}
                // a browser alone scrolls only to the line that is typed
                onFocus={() => pane.current?.scrollIntoView({ block: 'nearest' })}
                onDraft={(draft) => chat.write(sessionId, draft)}
                onSend={(message) => chat.send(sessionId, message)}
                onFiles={addFiles}
              />
            </>
          ) : (
            <Ended live={live} session={session} record={record} chat={chat} />
          )}
        </Pane>
      </FileDrop>
    </div>
  )
}
