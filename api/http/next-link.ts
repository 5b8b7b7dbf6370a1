import type { Context } from 'hono'
import * as v from 'valibot'
import { givenId, instant } from '../../events/base/text.ts'
import type { Config } from '../node/config.ts'

/** The message for a `cursor` that this API did not return. */
export const A_CURSOR = 'Must be a cursor of a Link header'

/** A `cursor` that names the last entry of a page, in a list that is in order of time. */
export const cursorOf = ({ timestamp, id }: { timestamp: string; id: string }) =>
  Buffer.from(`${timestamp} ${id}`).toString('base64url')

const parseCursor = (text: string) => {
  const [timestamp = '', id = ''] = Buffer.from(text, 'base64url').toString().split(' ')
  return { timestamp, id }
}

/** A `cursor` as `cursorOf` makes it. */
export const timeCursor = v.pipe(
  v.string(),
  v.transform(parseCursor),
  v.object({
    timestamp: v.pipe(instant, v.string()),
    id: givenId(A_CURSOR),
  }),
)

/** Adds a `Link` header with the next page of the requested list: the same call with a cursor in place of an offset. */
export const linkNext = (c: Context, { publicUrl }: Config, cursor: string): void => {
  const next = new URL(publicUrl + c.req.path)
  next.search = new URL(c.req.url).search
  next.searchParams.delete('offset')
  next.searchParams.set('cursor', cursor)
  c.header('Link', `<${next}>; rel="next"`)
}

/**
 * The first `limit` of the entries that were found. If there are more, adds the `Link` to the next page, by the cursor of
 * the last entry.
 */
export const pageOf = <Entry>(
  c: Context,
  config: Config,
  { found, limit }: { found: readonly Entry[]; limit: number },
  cursorAt: (last: Entry) => string,
): Entry[] => {
  const page = found.slice(0, limit)
  const last = page.at(-1)
  if (found.length > limit && last !== undefined) linkNext(c, config, cursorAt(last))
  return page
}
