import useSWRInfinite, { type SWRInfiniteConfiguration } from 'swr/infinite'
import type * as v from 'valibot'
import { type Page, pageLoader } from '../load.ts'

/**
 * A list that the API answers page by page, from the address of its first page on; `items` are those of all pages that were
 * asked for. An answer that `schema` does not allow is an error.
 */
export const usePageList = <Item>(
  first: string,
  schema: v.GenericSchema<unknown, Item[]>,
  options: SWRInfiniteConfiguration<Page<Item>, Error>,
) => {
  const { data, error, isLoading, isValidating, mutate, size, setSize } = useSWRInfinite<Page<Item>, Error>(
    (index: number, before: Page<Item> | null) => (index === 0 ? first : (before?.next ?? null)),
    pageLoader(schema),
    { revalidateIfStale: true, ...options },
  )
  return {
    items: data?.flatMap((page) => page.items),
    error,
    isLoading,
    mutate,
    retry: () => mutate(),
    hasMore: data?.at(-1)?.next !== undefined,
    isLoadingMore: isValidating && data !== undefined && data.length < size,
    showMore: () => setSize(size + 1),
  }
}
