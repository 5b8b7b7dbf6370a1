import { memo } from 'react'
import type { Viewer } from '../../../events/chat/frames-wire.ts'
import type { AssigneeFilter } from '../../chat/console/console-pages.ts'
import {
  type ConsoleState,
  chatIn,
  type LiveChat,
  nextPageOf,
  shownChats,
  unreadOf,
  visitorPlaceOf,
} from '../../chat/console/console-state.ts'
import { MAX_UNREAD_SHOWN } from '../../chat/messaging/conversation.ts'
import { holderInWords } from '../../staff/chat-assignee.ts'
import { useColleagues } from '../../staff/colleagues.ts'
import { shortMomentOf } from '../../staff/day.ts'
import { CountBadge } from '../../staff/shell/count-badge.tsx'
import { ShowMore } from '../../staff/show-more.tsx'
import { StaffFace } from '../../staff/staff-face.tsx'
import { initialsOf } from '../../ui/initials.ts'
import { colour, radius, space, unseen } from '../../ui/theme.ts'
import { ActiveSearch } from './active-search.tsx'
import { ChatRows } from './chat-rows.tsx'
import { ChatStart } from './chat-start.tsx'
import { SearchField, useTerm } from './search-field.tsx'
import { othersOf, viewersInWords } from './viewers.ts'
import { VisitorPresence } from './visitor-presence.tsx'

/** The initials of a colleague who has the chat open; on a dark background if they are typing. */
const Others = ({ others }: { others: readonly Viewer[] }) => {
  const [first] = others
  if (!first) return null
  const words = viewersInWords(others)
  return (
    <span
      data-tip={words}
      css={{
        position: 'relative',
        minWidth: '1.5rem',
        padding: '0 0.25rem',
        borderRadius: radius.round,
        border: `1px solid ${colour.edge}`,
        background: others.some(({ isTyping }) => isTyping) ? colour.ink : colour.sheet,
        color: others.some(({ isTyping }) => isTyping) ? colour.onInk : colour.ink,
        fontSize: '0.75rem',
        fontWeight: 600,
        lineHeight: '1.375rem',
        textAlign: 'center',
      }}
    >
      <span aria-hidden="true">
        {initialsOf(first.name)}
        {others.length > 1 && `+${others.length - 1}`}
      </span>
      <span css={unseen}> {words}</span>
    </span>
  )
}

const line = { display: 'block', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } as const

/** On one line the draft of the staff member's reply, or else the last message. */
const LastWords = ({ chat, isSelected }: { chat: LiveChat; isSelected: boolean }) => {
  const draft = isSelected ? '' : chat.draft.trim()
  const { last } = chat.outline
  if (draft) return <em css={line}>Draft: {draft}</em>
  return (
    last && (
      <span dir="auto" css={{ ...line, color: colour.ink }}>
        {last.senderType === 'admin' && `${last.senderName}: `}
        {last.message}
      </span>
    )
  )
}

/** The time since which the visitor waits for a reply, or else since which the chat is assigned. */
const sinceOf = (chat: LiveChat) => {
  const waiting = chat.outline.waitingSince
  if (waiting)
    return <strong css={{ color: colour.ink, fontWeight: 600 }}>Waiting since {shortMomentOf(waiting)}</strong>
  const { to, since } = chat.assignment ?? {}
  return to && since && `Since ${shortMomentOf(since)}`
}

const NONE: Record<AssigneeFilter, string> = {
  all: 'No active chat sessions',
  mine: 'No active chat is assigned to you',
  unassigned: 'No unassigned chats',
}

type AssigneeProps = { chat: LiveChat; assignees: AssigneeFilter; myId: string | undefined }

/**
 * Shows the assignee of the chat, and since when; in a list of one's own chats alone, or of unassigned ones, only the
 * time.
 */
const Assignee = ({ chat, assignees, myId }: AssigneeProps) => {
  const { assignment } = chat
  const { data: colleagues } = useColleagues()
  const since = sinceOf(chat)
  if (!assignment || assignees !== 'all') return since
  return (
    <>
      <span css={{ color: colour.ink }}>
        {assignment.to && (
          <span css={{ display: 'inline-grid', marginRight: space.hair, verticalAlign: 'text-bottom' }}>
            <StaffFace id={assignment.to.staffId} sizePx={16} />
          </span>
        )}
        {holderInWords(assignment, { myId, colleagues })}
        {since && ' · '}
      </span>
      {since}
    </>
  )
}

/** The text of a chat's row: what was said last, where the visitor is, whether they type, and who takes care of them. */
const Row = memo(({ chat, isSelected, assignees, myId }: AssigneeProps & { isSelected: boolean }) => {
  const { session, isTyping } = chat
  const here = visitorPlaceOf(chat)
  return (
    session && (
      <>
        <ChatStart {...session} />
        <LastWords chat={chat} isSelected={isSelected} />
        {here !== undefined && <VisitorPresence here={here} firstPage={session.pageUrl} />}
        {isTyping && <strong css={{ color: colour.accent, fontWeight: 600 }}>Typing… </strong>}
        <Assignee chat={chat} assignees={assignees} myId={myId} />
      </>
    )
  )
})

/** A longer list can be searched. */
const MANY_CHATS = 10

/** The chats that wait for a reply, the number of unread messages of each, and the staff who have it open. */
export const SessionList = (props: {
  state: ConsoleState
  myId: string | undefined
  onSelect: (sessionId: string) => void
  onMore: () => void
}) => {
  const { state, myId } = props
  const { typed, setTyped, term } = useTerm()
  const { data: colleagues } = useColleagues()
  const listed = shownChats(state)
  const next = nextPageOf(state)
  if (listed.length === 0 && typed === '' && next === undefined) {
    return (
      <p css={{ padding: space.base, borderTop: `1px solid ${colour.line}`, color: colour.soft }}>
        {state.isListed ? NONE[state.assignees] : 'Loading the chats...'}
      </p>
    )
  }
  const isSearched = typed !== '' || next !== undefined || listed.length > MANY_CHATS
  const search = isSearched && (
    <SearchField id="active-search" label="Search active chats" typed={typed} onType={setTyped} />
  )
  if (term) {
    return (
      <>
        {search}
        <ActiveSearch term={term} state={state} onSelect={props.onSelect} />
      </>
    )
  }
  return (
    <>
      {search}
      <ChatRows
        label="Active chats"
        sessions={listed}
        selected={state.selected}
        onSelect={props.onSelect}
        isStrong={({ sessionId }) => unreadOf(state, sessionId) > 0}
        aside={({ sessionId }) => (
          <>
            <Others others={othersOf(chatIn(state, sessionId).viewers, { myId, colleagues })} />
            <CountBadge count={unreadOf(state, sessionId)} label="unread" tone="news" max={MAX_UNREAD_SHOWN} />
          </>
        )}
        note={({ sessionId }) => (
          <Row
            chat={chatIn(state, sessionId)}
            isSelected={sessionId === state.selected}
            assignees={state.assignees}
            myId={myId}
          />
        )}
      />
      {next && <ShowMore isRow isLoading={state.isLoadingMore} onMore={props.onMore} />}
    </>
  )
}
