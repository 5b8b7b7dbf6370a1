import type { ConsoleState } from '../../chat/console-state.ts'
import { shortMomentOf } from '../../staff/leads/day.ts'
import { FetchFailure } from '../../staff/notice.tsx'
import { colour, space, unseen } from '../../ui/theme.ts'
import { useChatList } from './chat-list.ts'
import { ChatRows } from './chat-rows.tsx'
import { ShowMore } from './show-more.tsx'

/** The chats that go on in which the API finds a term, those too that are on no page of this console. */
export const ActiveSearch = (props: { term: string; state: ConsoleState; onSelect: (sessionId: string) => void }) => {
  const { term, state } = props
  const { data, error, isLoading, isValidating, size, setSize, mutate } = useChatList('active', term)
  const hidden = new Set([
    ...state.erased,
    ...state.sessions.flatMap(({ isActive, sessionId }) => (isActive ? [] : [sessionId])),
  ])
  const chats = (data?.flatMap((page) => page.chats) ?? []).filter(({ sessionId }) => !hidden.has(sessionId))
  const next = data?.at(-1)?.next
  return (
    <>
      {error && <FetchFailure title="Error searching the chats" error={error} retry={() => mutate()} />}
      <p
        role="status"
        css={
          chats.length > 0 || error
            ? unseen
            : {
                padding: space.base,
                borderTop: `1px solid ${colour.line}`,
                color: colour.soft,
                overflowWrap: 'anywhere',
              }
        }
      >
        {isLoading && 'Searching the active chats...'}
        {data && chats.length === 0 && `No active chat matches "${term}"`}
        {chats.length > 0 && `${chats.length}${next ? ' or more' : ''} active chats`}
      </p>
      <ChatRows
        label="Active chats found"
        sessions={chats}
        selected={state.selected}
        onSelect={props.onSelect}
        note={({ startTime, pageUrl }) => (
          <>
            Since {shortMomentOf(startTime)}
            {pageUrl && ` on ${pageUrl}`}
          </>
        )}
      />
      {next && <ShowMore isLoading={isValidating && size > (data?.length ?? 0)} onMore={() => setSize(size + 1)} />}
    </>
  )
}
