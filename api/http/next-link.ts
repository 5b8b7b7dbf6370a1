import type { Context } from 'hono'
import type { Config } from '../process/config.ts'

/** What a `cursor` that is none of ours is refused by. */
export const A_CURSOR = 'Must be a cursor of a Link header'

/**
 * Says in the `Link` header where the list that was asked for goes on: the same call from a cursor, in place of an
 * offset.
 */
export const linkNext = (c: Context, { publicUrl }: Config, cursor: string): void => {
  const next = new URL(publicUrl + c.req.path)
  next.search = new URL(c.req.url).search
  next.searchParams.delete('offset')
  next.searchParams.set('cursor', cursor)
  c.header('Link', `<${next}>; rel="next"`)
}
