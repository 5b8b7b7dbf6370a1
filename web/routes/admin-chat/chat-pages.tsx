import type { ReactNode } from 'react'
import type * as v from 'valibot'
import type { ChatSession, chatList } from '../../../events/chat/wire.ts'
import { counted } from '../../staff/leads/shown/labels.ts'
import { ShowMore } from '../../staff/list/show-more.tsx'
import { FetchFailure } from '../../staff/placeholder.tsx'
import { colour, space, unseen } from '../../ui/theme.ts'
import type { useChatList } from './chat-list.ts'
import { ChatRows, type RowParts } from './chat-rows.tsx'

/** A chat of a list. One that came by the socket has neither a rating nor the visitor's presence. */
export type FetchedChat = ChatSession & Partial<Pick<v.InferOutput<typeof chatList>[number], 'score' | 'here'>>

/** The texts of a list of chats: for screen readers, while it loads, if it fails, and if it is empty. */
export type ChatListWords = { label: string; noun: string; loading: string; failed: string; none: string }

const Status = ({ isShown, children }: { isShown: boolean; children: ReactNode }) => (
  <p
    role="status"
    css={
      isShown
        ? { padding: space.base, borderTop: `1px solid ${colour.line}`, color: colour.soft, overflowWrap: 'anywhere' }
        : unseen
    }
  >
    {children}
  </p>
)

/**
 * Chats that the API returns page by page: the rows, a line with their number or the reason why there are none, and the
 * button for the next page. `shown` updates the fetched chats with the console's newer state.
 */
export const ChatPages = ({
  list,
  shown,
  words,
  selected,
  onSelect,
  ...row
}: {
  list: ReturnType<typeof useChatList>
  shown: (fetched: FetchedChat[]) => FetchedChat[]
  words: ChatListWords
  selected: string | undefined
  onSelect: (sessionId: string) => void
} & RowParts<FetchedChat>) => {
  const { items, error, retry, isLoading, hasMore, isLoadingMore, showMore } = list
  const chats = shown(items ?? [])
  return (
    <>
      {error && <FetchFailure title={words.failed} error={error} retry={retry} />}
      <Status isShown={chats.length === 0 && !error}>
        {isLoading && words.loading}
        {items && chats.length === 0 && words.none}
        {chats.length > 0 && (hasMore ? `${chats.length} or more ${words.noun}s` : counted(chats.length, words.noun))}
      </Status>
      <ChatRows label={words.label} sessions={chats} selected={selected} onSelect={onSelect} {...row} />
      {hasMore && <ShowMore isRow isLoading={isLoadingMore} onMore={showMore} />}
    </>
  )
}
