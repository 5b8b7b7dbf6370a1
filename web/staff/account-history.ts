import useSWRInfinite from 'swr/infinite'
import * as v from 'valibot'
import { type AccountEntry, accountHistory } from '../../events/wire/account-history.ts'
import { request } from '../http.ts'
import { nextPageOf } from '../next-page.ts'

const KEY = '/api/accounts/history'
/** Whoever watches this watches somebody come in. */
const REFRESH_INTERVAL_MS = 5_000

type Page = { entries: AccountEntry[]; next: string | undefined }

const fetchPage = async (path: string): Promise<Page> => {
  const response = await request(path)
  return { entries: v.parse(accountHistory, await response.json()), next: nextPageOf(response) }
}

/** What has happened with the staff's accounts, newest first, page by page; for owners. Fetched again every 5 s. */
export const useAccountHistory = () => {
  const { data, error, mutate, size, setSize } = useSWRInfinite<Page, Error>(
    (index: number, previous: Page | null) => (index === 0 ? KEY : (previous?.next ?? null)),
    fetchPage,
    { refreshInterval: REFRESH_INTERVAL_MS, revalidateAll: true, revalidateIfStale: true },
  )
  return {
    entries: data?.flatMap((page) => page.entries),
    error,
    retry: () => mutate(),
    hasMore: data?.at(-1)?.next !== undefined,
    isLoadingMore: data !== undefined && data.length < size,
    showMore: () => setSize(size + 1),
  }
}
