import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context } from 'hono'
import type { ApiNode } from './node.ts'

/** Of a request that came through fewer proxies than are trusted. */
const UNKNOWN = 'unknown'

/**
 * The address that a request comes from. Behind TRUST_PROXY proxies it is the one that the outermost of them saw: as
 * many steps from the right of X-Forwarded-For, whose left part anybody can forge.
 */
export const clientAddress = ({ config }: ApiNode, c: Context): string => {
  const direct = getConnInfo(c).remote.address ?? UNKNOWN
  const forwarded = c.req.header('x-forwarded-for')
  if (config.trustedProxies === 0 || forwarded === undefined) return direct
  const addresses = forwarded.split(',').map((address) => address.trim())
  return addresses.at(-config.trustedProxies) || UNKNOWN
}
