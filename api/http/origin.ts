import type { Context } from 'hono'
import type { Config } from '../node/config.ts'
import { RequestError } from './errors.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses changes and sockets that a page of another origin sends in a visitor's or a staff member's name. Browsers
 * always state the origin of such a request; a caller without an Origin header is not a browser and has no cookies of
 * another person.
 */
export const checkOrigin = ({ allowedOrigins }: Config, c: Context): void => {
  const origin = c.req.header('origin')
  const matters = !SAFE_METHODS.has(c.req.method) || c.req.header('upgrade') !== undefined
  if (matters && origin !== undefined && !allowedOrigins.has(origin)) {
    throw new RequestError('foreign_origin', `Send it from ${[...allowedOrigins].join(' or ')}`)
  }
}
