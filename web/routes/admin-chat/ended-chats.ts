import useSWRInfinite from 'swr/infinite'
import * as v from 'valibot'
import { type ChatSession, chatList } from '../../../events/wire/chat.ts'
import { request } from '../../http.ts'
import { nextPageOf } from '../../next-page.ts'

const PAGE_SIZE = 30

type EndedPage = { chats: ChatSession[]; next: string | undefined }

/** Ended chats, newest first, page by page; with a term those in which the API finds it. */
export const useEndedChats = (term: string) =>
  useSWRInfinite<EndedPage>(
    (index: number, before: EndedPage | null) => {
      if (index > 0) return before?.next ?? null
      return `/api/chats?${new URLSearchParams({ state: 'ended', limit: String(PAGE_SIZE), ...(term && { q: term }) })}`
    },
    async (key: string) => {
      const response = await request(key)
      return { chats: v.parse(chatList, await response.json()), next: nextPageOf(response) }
    },
    { revalidateIfStale: true, revalidateFirstPage: false },
  )
