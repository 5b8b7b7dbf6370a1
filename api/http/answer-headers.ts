import type { ServerResponse } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { Config } from '../node/config.ts'

/** Browsers use https alone for a year. Other hosts of the domain are not this product's decision. */
const HSTS = 'max-age=31536000'

/** Pages ask for none of these; copying, notifications and full screen stay allowed. Each byte counts in the first packets. */
const PERMISSIONS = 'camera=(), geolocation=(), microphone=()'

/** Headers on every response that limit what a browser may do with it. */
export const protectiveHeaders = ({ publicUrl }: Pick<Config, 'publicUrl'>): Record<string, string> => ({
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': PERMISSIONS,
  // under no-referrer a form without script posts the origin "null", which the API has to refuse
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'SAMEORIGIN',
  ...(publicUrl.startsWith('https:') && { 'Strict-Transport-Security': HSTS }),
})

/**
 * Sets headers of the response to a request, for any handler; headers that the handler sets itself take precedence.
 * They are set on Node's own response before Hono's: on Hono's each of them costs conversions that are a tenth of a
 * small request. An upgrade has no such response: returns false, and the caller has to set them on `c.res`.
 */
export const setResponseHeaders = (c: Context, headers: Record<string, string>): boolean => {
  const { outgoing } = c.env as Partial<HttpBindings>
  if (!outgoing) return false
  for (const name in headers) (outgoing as ServerResponse).setHeader(name, headers[name] as string)
  return true
}
