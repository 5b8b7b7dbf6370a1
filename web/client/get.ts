import * as v from 'valibot'
import { HttpError, request } from './http.ts'

/** The address to fetch, which is also SWR's key: a string, or parts that are joined with '/'. */
export type QueryKey = string | readonly string[]

export type Schema<Answer> = v.GenericSchema<unknown, Answer>

type Options = { signal?: AbortSignal }

export const addressOf = (key: QueryKey) => (typeof key === 'string' ? key : key.join('/'))

/** Reads a JSON response by its schema: `send('POST', address, form).then(read(schema))`. */
export const read =
  <Answer>(schema: Schema<Answer>) =>
  async (response: Response): Promise<Answer> =>
    v.parse(schema, await response.json())

/**
 * The loader of reads: GET on the key, with credentials, parsed as JSON and checked by a schema. Throws an HttpError if the
 * response is not OK; with `on401: 'null'` one of 401 yields null.
 */
export function get<Answer>(key: QueryKey, schema: Schema<Answer>, set?: Options & { on401?: 'throw' }): Promise<Answer>
export function get<Answer>(
  key: QueryKey,
  schema: Schema<Answer>,
  set: Options & { on401: 'null' },
): Promise<Answer | null>
export async function get<Answer>(
  key: QueryKey,
  schema: Schema<Answer>,
  { on401 = 'throw', ...init }: Options & { on401?: string } = {},
) {
  try {
    return await request(addressOf(key), init).then(read(schema))
  } catch (error) {
    if (on401 === 'null' && error instanceof HttpError && error.status === 401) return null
    throw error
  }
}

/** A page of a list, and the address of the one after it. */
export type Page<Item> = { items: Item[]; next: string | undefined }

/** The address of a list's next page by its Link header (RFC 8288), without the host. */
const nextPageOf = ({ headers }: Response): string | undefined => {
  const [, address] = /<([^>]+)>;\s*rel="next"/.exec(headers.get('link') ?? '') ?? []
  if (!address) return undefined
  const { pathname, search } = new URL(address, 'http://localhost')
  return pathname + search
}

/** Loads a page of a list; otherwise as `get`. */
export const getPage = async <Item>(key: QueryKey, schema: Schema<Item[]>, init: Options = {}): Promise<Page<Item>> => {
  const response = await request(addressOf(key), init)
  return { items: await read(schema)(response), next: nextPageOf(response) }
}
