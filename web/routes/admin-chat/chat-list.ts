import { chatList } from '../../../events/chat/wire.ts'
import type { Whose } from '../../chat/console/console-assignments.ts'
import { assignedFor } from '../../chat/console/console-fetch.ts'
import { useGetPages } from '../../staff/use-get.ts'

const PAGE_SIZE = 30

/** Chats of a state, newest first, page by page; with a term, those in which the API finds it. */
export const useChatList = (state: 'active' | 'ended', term: string, whose: Whose = 'all') => {
  const query = new URLSearchParams({
    state,
    limit: String(PAGE_SIZE),
    ...(term && { q: term }),
    ...assignedFor(whose),
  })
  return useGetPages(`/api/chats?${query}`, chatList, { revalidateFirstPage: false })
}
