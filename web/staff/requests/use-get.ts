import useSWR, { type SWRConfiguration } from 'swr'
import useSWRInfinite from 'swr/infinite'
import { addressOf, get, getPage, type Page, type QueryKey, type Schema } from '../../client/get.ts'
import { POLL_MS, type Poll } from './polling.ts'

/** How often data is fetched again; a function decides by the current data. */
type Polling<Answer> = Poll | ((known: Answer | undefined) => Poll)

const intervalOf = <Answer>(poll: Polling<Answer>) =>
  typeof poll === 'function' ? (known: Answer | undefined) => POLL_MS[poll(known)] : POLL_MS[poll]

type Options<Answer> = Omit<SWRConfiguration<Answer, Error>, 'refreshInterval'> & { poll?: Polling<Answer> }

/** Shown at once from the cache, and fetched again whenever it is shown, however recently it was fetched. */
export const FRESH = { revalidateIfStale: true, dedupingInterval: 0 }

/** Fetches for a staff screen by GET on `key`, checked by a schema; nothing without a key. */
export const useGet = <Answer>(
  key: QueryKey | undefined,
  schema: Schema<Answer>,
  { poll = 'never', ...options }: Options<Answer> = {},
) =>
  useSWR<Answer, Error>(key === undefined ? null : addressOf(key), (address: string) => get(address, schema), {
    refreshInterval: intervalOf(poll),
    ...options,
  })

const itemsOf = <Item>(pages: Page<Item>[] | undefined) => pages?.flatMap(({ items }) => items)

/**
 * A list that the API returns page by page, beginning with the address of its first page; `items` are those of all
 * requested pages. If it is polled, all of them are fetched again.
 */
export const useGetPages = <Item>(
  first: string,
  schema: Schema<Item[]>,
  {
    poll,
    ...options
  }: {
    poll?: Polling<Item[]>
    revalidateAll?: boolean
    revalidateFirstPage?: boolean
    keepPreviousData?: boolean
  } = {},
) => {
  const { data, error, isLoading, isValidating, mutate, size, setSize } = useSWRInfinite<Page<Item>, Error>(
    (index: number, before: Page<Item> | null) => (index === 0 ? first : (before?.next ?? null)),
    (address: string) => getPage(address, schema),
    {
      revalidateIfStale: true,
      revalidateAll: poll !== undefined,
      refreshInterval: intervalOf(
        typeof poll === 'function' ? (pages: Page<Item>[] | undefined) => poll(itemsOf(pages)) : (poll ?? 'never'),
      ),
      ...options,
    },
  )
  return {
    items: itemsOf(data),
    error,
    isLoading,
    mutate,
    retry: () => mutate(),
    hasMore: data?.at(-1)?.next !== undefined,
    isLoadingMore: isValidating && data !== undefined && data.length < size,
    showMore: () => setSize(size + 1),
  }
}
