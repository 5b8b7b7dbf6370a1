import type { Context } from 'hono'
import { RequestError } from './errors.ts'

/** The header of changes that may conflict with those of others, for the OpenAPI document. */
export const SEEN = {
  'If-Match': 'The version that the change is based on, such as "3": 409 if others changed the same.',
}

/** The version that the author of a change saw, if the caller sends it. */
export const seenVersion = (c: Context): number | undefined => {
  const condition = c.req.header('if-match')
  if (condition === undefined || condition === '*') return undefined
  // a proxy that compresses makes a tag weak
  const [, version] = /^(?:W\/)?"(\d{1,9})"$/.exec(condition) ?? []
  if (version !== undefined) return Number(version)
  throw new RequestError('invalid', 'If-Match has to be the version that you read, such as "3"')
}
