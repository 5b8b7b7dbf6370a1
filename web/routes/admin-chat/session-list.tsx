import { memo } from 'react'
import type { Viewer } from '../../../events/chat/server-frames.ts'
import type { AssigneeFilter } from '../../chat/console/console-pages.ts'
import {
  type ConsoleState,
  chatIn,
  hasGivenUp,
  type LiveChat,
  nextPageOf,
  shownChats,
  unreadOf,
  visitorPlaceOf,
  waitingSinceOf,
} from '../../chat/console/console-state.ts'
import { MAX_UNREAD_SHOWN } from '../../chat/messaging/conversation.ts'
import { useColleagues } from '../../staff/account/colleagues.ts'
import { StaffFace } from '../../staff/account/staff-face.tsx'
import { holderInWords } from '../../staff/chat/chat-assignee.ts'
import { chatWaitInWords } from '../../staff/leads/clock/clock.ts'
import { ShowMore } from '../../staff/list/show-more.tsx'
import { CountBadge } from '../../staff/shell/count-badge.tsx'
import { initialsOf } from '../../ui/initials.ts'
import { useNow } from '../../ui/now.ts'
import { colour, radius, space, unseen } from '../../ui/theme.ts'
import { ActiveSearch } from './active-search.tsx'
import { ChatRows } from './chat-rows.tsx'
import { StartPage, StartTime } from './chat-start.tsx'
import { SearchField, useTerm } from './search-field.tsx'
import { othersOf, viewersInWords } from './viewers.ts'
import { PresenceDot, PresenceWords } from './visitor-presence.tsx'

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

const line = { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } as const

/** The draft of the staff member's reply, or else the last message. */
const LastWords = ({ chat, isSelected }: { chat: LiveChat; isSelected: boolean }) => {
  const draft = isSelected ? '' : chat.draft.trim()
  const { last } = chat.outline
  if (chat.isTyping) return <strong css={{ color: colour.accent, fontWeight: 600 }}>Typing…</strong>
  if (draft) return <em>Draft: {draft}</em>
  return (
    last && (
      <span dir="auto">
        {last.senderType === 'admin' && `${last.senderName}: `}
        {last.message}
      </span>
    )
  )
}

/** How long the visitor has waited for a reply, or that they no longer do; undefined if staff wrote last. */
const waitInWords = (chat: LiveChat, now: Date) => {
  if (hasGivenUp(chat, now)) return 'Left without an address'
  const since = waitingSinceOf(chat, now)
  return since === null ? undefined : chatWaitInWords(since, now)
}

const NONE: Record<AssigneeFilter, string> = {
  all: 'No active chat sessions',
  mine: 'No active chat is assigned to you',
  unassigned: 'No unassigned chats',
}

/** The assignee of a chat, except in a list of one's own chats alone, or of unassigned ones. */
const Assignee = ({
  chat,
  assignees,
  myId,
}: {
  chat: LiveChat
  assignees: AssigneeFilter
  myId: string | undefined
}) => {
  const { assignment } = chat
  const { data: colleagues } = useColleagues()
  if (!assignment || assignees !== 'all') return null
  const words = holderInWords(assignment, { myId, colleagues })
  return (
    <span {...(assignment.to && { 'data-tip': words })} css={{ display: 'inline-grid' }}>
      {assignment.to && <StaffFace id={assignment.to.staffId} sizePx={16} />}
      <span css={unseen}>{words} </span>
    </span>
  )
}

/** The lines below the visitor's name: how long they wait and what was said last, then the page on which the chat began. */
const Note = memo(({ chat, isSelected }: { chat: LiveChat; isSelected: boolean }) => {
  const { session } = chat
  const wait = waitInWords(chat, useNow())
  return (
    <span css={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <span css={{ ...line, ':empty': { display: 'none' } }}>
        {wait && <strong css={{ color: colour.ink, fontWeight: 600 }}>{wait} </strong>}
        <LastWords chat={chat} isSelected={isSelected} />
      </span>
      {session?.pageUrl && <StartPage pageUrl={session.pageUrl} />}
    </span>
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
        mark={({ sessionId, pageUrl }) => {
          const here = visitorPlaceOf(chatIn(state, sessionId))
          return here !== undefined && <PresenceDot here={here} firstPage={pageUrl} />
        }}
        aside={({ sessionId, startTime, pageUrl }) => (
          <>
            <PresenceWords here={visitorPlaceOf(chatIn(state, sessionId))} firstPage={pageUrl} />
            <Others others={othersOf(chatIn(state, sessionId).viewers, { myId, colleagues })} />
            <CountBadge count={unreadOf(state, sessionId)} label="unread" tone="news" max={MAX_UNREAD_SHOWN} />
            <Assignee chat={chatIn(state, sessionId)} assignees={state.assignees} myId={myId} />
            <StartTime startTime={startTime} />
          </>
        )}
        note={({ sessionId }) => <Note chat={chatIn(state, sessionId)} isSelected={sessionId === state.selected} />}
      />
      {next && <ShowMore isRow isLoading={state.isLoadingMore} onMore={props.onMore} />}
    </>
  )
}
