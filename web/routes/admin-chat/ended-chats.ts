import useSWRInfinite from 'swr/infinite'
import * as v from 'valibot'
import type { ChatSession } from '../../../events/chat.ts'
import { request } from '../../http.ts'
import { chatSession } from './chat-record.ts'

const PAGE_SIZE = 30
const NEXT = /<([^>]+)>;\s*rel="next"/

type EndedPage = { chats: ChatSession[]; next: string | null }

const chats = v.array(chatSession)

/** The path of the next page of a list, as its `Link` header has it; null where there is none. */
export const nextPageOf = (link: string | null) => {
  const address = NEXT.exec(link ?? '')?.[1]
  if (!address) return null
  const { pathname, search } = new URL(address, location.href)
  return pathname + search
}

/** Ended chats, newest first, page by page; with a term those in which the API finds it. */
export const useEndedChats = (term: string) =>
  useSWRInfinite<EndedPage>(
    (index: number, before: EndedPage | null) => {
      if (index > 0) return before?.next ?? null
      return `/api/chats?${new URLSearchParams({ state: 'ended', limit: String(PAGE_SIZE), ...(term && { q: term }) })}`
    },
    async (key: string) => {
      const response = await request(key)
      return { chats: v.parse(chats, await response.json()), next: nextPageOf(response.headers.get('link')) }
    },
    { revalidateIfStale: true, revalidateFirstPage: false },
  )
