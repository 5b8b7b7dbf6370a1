import useSWRInfinite from 'swr/infinite'
import * as v from 'valibot'
import { type ChatSession, chatList } from '../../../events/wire/chat.ts'
import { request } from '../../http.ts'
import { nextPageOf } from '../../next-page.ts'

const PAGE_SIZE = 30

type ChatPage = { chats: ChatSession[]; next: string | undefined }

/** Chats of a state, newest first, page by page; with a term those in which the API finds it. */
export const useChatList = (state: 'active' | 'ended', term: string) =>
  useSWRInfinite<ChatPage>(
    (index: number, before: ChatPage | null) => {
      if (index > 0) return before?.next ?? null
      return `/api/chats?${new URLSearchParams({ state, limit: String(PAGE_SIZE), ...(term && { q: term }) })}`
    },
    async (key: string) => {
      const response = await request(key)
      return { chats: v.parse(chatList, await response.json()), next: nextPageOf(response) }
    },
    { revalidateIfStale: true, revalidateFirstPage: false },
  )
