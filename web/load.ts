import * as v from 'valibot'
import { HttpError, request } from './http.ts'
import { nextPageOf } from './next-page.ts'

/** The address to fetch, which is also SWR's key: a string, or parts that are joined with '/' (specification, 7). */
export type QueryKey = string | readonly string[]

type Options = { signal?: AbortSignal }

const addressOf = (key: QueryKey) => (typeof key === 'string' ? key : key.join('/'))

type Loader<Answer> = (key: QueryKey, options?: Options) => Promise<Answer>

/**
 * Makes the loader of reads: GET on the key, with credentials, parsed as JSON and checked by a schema. An answer that is not
 * OK throws an HttpError; where `on401` says so, one of 401 yields null.
 */
export function loader<Answer>(schema: v.GenericSchema<unknown, Answer>, set?: { on401: 'throw' }): Loader<Answer>
export function loader<Answer>(schema: v.GenericSchema<unknown, Answer>, set: { on401: 'null' }): Loader<Answer | null>
export function loader<Answer>(schema: v.GenericSchema<unknown, Answer>, { on401 = 'throw' } = {}) {
  return async (key: QueryKey, { signal }: Options = {}) => {
    try {
      const response = await request(addressOf(key), signal && { signal })
      return v.parse(schema, await response.json())
    } catch (error) {
      if (on401 === 'null' && error instanceof HttpError && error.status === 401) return null
      throw error
    }
  }
}

/** A page of a list, and the address of the one after it. */
export type Page<Item> = { items: Item[]; next: string | undefined }

/** Makes the loader of lists that the API answers page by page; otherwise as `loader`. */
export const pageLoader =
  <Item>(schema: v.GenericSchema<unknown, Item[]>): Loader<Page<Item>> =>
  async (key, { signal } = {}) => {
    const response = await request(addressOf(key), signal && { signal })
    return { items: v.parse(schema, await response.json()), next: nextPageOf(response) }
  }
