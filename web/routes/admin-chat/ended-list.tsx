import { useEffect } from 'react'
import { erasedSession } from '../../../events/chat/chat.ts'
import type { ChatSession } from '../../../events/chat/wire.ts'
import { momentOf } from '../../staff/day.ts'
import { StalledBanner } from '../../staff/shell/stalled-banner.tsx'
import { useChatList } from './chat-list.ts'
import { ChatPages, type FetchedChat } from './chat-pages.tsx'
import { scoreInWords } from './rating.tsx'
import { SearchField, useTerm } from './search-field.tsx'

/** A list with the chats added that it does not have yet, newest first. */
const withFresh = (fetched: readonly FetchedChat[], fresh: readonly ChatSession[]) =>
  [...fresh.filter(({ sessionId }) => fetched.every((chat) => chat.sessionId !== sessionId)), ...fetched].sort((a, b) =>
    b.startTime.localeCompare(a.startTime),
  )

export const EndedList = (props: {
  selected: string | undefined
  /** The chats that ended while the console was open: the fetched list may not have them yet. */
  fresh: readonly ChatSession[]
  /** The ids of the chats that were erased while the console was open. */
  erased: readonly string[]
  onSelect: (sessionId: string) => void
}) => {
  const { typed, setTyped, term } = useTerm()
  const list = useChatList('ended', term)
  const { items, mutate } = list
  // biome-ignore lint/correctness/useExhaustiveDependencies: a chat that ends or is erased is what makes the list stale
  useEffect(() => {
    mutate()
  }, [props.fresh.length, props.erased.length, mutate])
  const shown = (fetched: FetchedChat[]) => {
    const known = fetched.map((chat) => (props.erased.includes(chat.sessionId) ? erasedSession(chat) : chat))
    return items && !term ? withFresh(known, props.fresh) : known
  }
  return (
    <>
      <StalledBanner of="chats" />
      <SearchField id="ended-search" label="Search ended chats" typed={typed} onType={setTyped} />
      <ChatPages
        list={list}
        shown={shown}
        words={{
          label: 'Ended chats',
          noun: 'ended chat',
          loading: 'Loading ended chats...',
          failed: 'Error loading ended chats',
          none: term ? `No ended chat matches "${term}"` : 'No ended chats',
        }}
        selected={props.selected}
        onSelect={props.onSelect}
        aside={({ startTime }) => momentOf(startTime)}
        note={({ score, visitorEmail, visitorPhone }) => (
          <span css={{ overflowWrap: 'anywhere' }}>
            {[score && scoreInWords(score), visitorEmail ?? visitorPhone].filter(Boolean).join(' · ')}
          </span>
        )}
      />
    </>
  )
}
