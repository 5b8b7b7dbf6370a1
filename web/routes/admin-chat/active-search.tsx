import { type ConsoleState, idsOf, sessionsOf } from '../../chat/console/console-state.ts'
import { useChatList } from './chat-list.ts'
import { ChatPages } from './chat-pages.tsx'
import { StartPage, StartTime } from './chat-start.tsx'
import { PresenceDot, PresenceWords } from './visitor-presence.tsx'

/** The active chats in which the API finds a term, including those on no page of this console. */
export const ActiveSearch = (props: { term: string; state: ConsoleState; onSelect: (sessionId: string) => void }) => {
  const { term, state } = props
  const hidden = new Set([
    ...idsOf(state.chats, ({ isErased }) => isErased),
    ...sessionsOf(state).flatMap(({ isActive, sessionId }) => (isActive ? [] : [sessionId])),
  ])
  return (
    <ChatPages
      list={useChatList('active', term, state.assignees)}
      shown={(fetched) => fetched.filter(({ sessionId }) => !hidden.has(sessionId))}
      words={{
        label: 'Active chats found',
        noun: 'active chat',
        loading: 'Searching the active chats...',
        failed: 'Error searching the chats',
        none: `No active chat matches "${term}"`,
      }}
      selected={state.selected}
      onSelect={props.onSelect}
      mark={({ here, pageUrl }) => here !== undefined && <PresenceDot here={here} firstPage={pageUrl} />}
      aside={({ startTime, here, pageUrl }) => (
        <>
          <PresenceWords here={here} firstPage={pageUrl} />
          <StartTime startTime={startTime} />
        </>
      )}
      note={({ pageUrl }) => pageUrl && <StartPage pageUrl={pageUrl} />}
    />
  )
}
