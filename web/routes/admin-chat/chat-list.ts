import { chatList } from '../../../events/chat/wire.ts'
import { type AssigneeFilter, chatsAddress } from '../../chat/console/console-pages.ts'
import { useGetPages } from '../../staff/requests/use-get.ts'

/** Chats of a state, newest first, page by page; with a term, those in which the API finds it. */
export const useChatList = (state: 'active' | 'ended', term: string, assignees: AssigneeFilter = 'all') =>
  useGetPages(chatsAddress({ state, limit: 30, q: term, assignees }), chatList, { revalidateFirstPage: false })
