import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context } from 'hono'
import type { ApiNode } from './node.ts'

/**
 * The address that a request comes from. Behind TRUST_PROXY proxies it is the one that the outermost of them saw: as
 * many steps from the right of X-Forwarded-For, whose left part anybody can forge.
 */
export const clientAddress = ({ config }: ApiNode, c: Context): string => {
  const direct = getConnInfo(c).remote.address ?? 'unknown'
  if (config.trustedProxies === 0) return direct
  const forwarded =
    c.req
      .header('x-forwarded-for')
      ?.split(',')
      .map((address) => address.trim()) ?? []
  return forwarded.at(-config.trustedProxies) ?? forwarded[0] ?? direct
}
