import { useEffect } from 'react'
import { erasedSession } from '../../../events/chat.ts'
import type { ChatSession } from '../../../events/wire/chat.ts'
import { momentOf } from '../../staff/leads/day.ts'
import { FetchFailure } from '../../staff/notice.tsx'
import { StandstillAlarm } from '../../staff/standstill-alarm.tsx'
import { colour, space, unseen } from '../../ui/theme.ts'
import { useChatList } from './chat-list.ts'
import { ChatRows } from './chat-rows.tsx'
import { SearchField, useTerm } from './search-field.tsx'
import { ShowMore } from './show-more.tsx'

/** A list with those that it does not have yet, newest first. */
const withFresh = (fetched: readonly ChatSession[], fresh: readonly ChatSession[]) =>
  [...fresh.filter(({ sessionId }) => fetched.every((chat) => chat.sessionId !== sessionId)), ...fetched].sort((a, b) =>
    b.startTime.localeCompare(a.startTime),
  )

/** The chats that are over, to be found by who wrote and what. */
export const EndedList = (props: {
  selected: string | undefined
  /** Those that have ended before the console's eyes: the list that is fetched may not have them yet. */
  fresh: readonly ChatSession[]
  /** The ids of those that were erased before its eyes. */
  erased: readonly string[]
  onSelect: (sessionId: string) => void
}) => {
  const { typed, setTyped, term } = useTerm()
  const { data, error, isLoading, isValidating, size, setSize, mutate } = useChatList('ended', term)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a chat that ends or is erased is what makes the list stale
  useEffect(() => {
    mutate()
  }, [props.fresh.length, props.erased.length, mutate])
  const fetched = (data?.flatMap((page) => page.chats) ?? []).map((chat) =>
    props.erased.includes(chat.sessionId) ? erasedSession(chat) : chat,
  )
  const chats = data && !term ? withFresh(fetched, props.fresh) : fetched
  const next = data?.at(-1)?.next
  const isMore = isValidating && size > (data?.length ?? 0)
  return (
    <>
      <StandstillAlarm of="chats" />
      <SearchField id="ended-search" label="Search ended chats" typed={typed} onType={setTyped} />
      {error && <FetchFailure title="Error loading ended chats" error={error} retry={() => mutate()} />}
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
        {isLoading && 'Loading ended chats...'}
        {data && chats.length === 0 && (term ? `No ended chat matches "${term}"` : 'No ended chats')}
        {chats.length > 0 && `${chats.length}${next ? ' or more' : ''} ended chats`}
      </p>
      <ChatRows
        label="Ended chats"
        sessions={chats}
        selected={props.selected}
        onSelect={props.onSelect}
        note={(session) => (
          <>
            {momentOf(session.startTime)}
            {session.visitorEmail && <span css={{ display: 'block' }}>{session.visitorEmail}</span>}
          </>
        )}
      />
      {next && <ShowMore isLoading={isMore} onMore={() => setSize(size + 1)} />}
    </>
  )
}
