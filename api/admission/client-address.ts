import { isIP, isIPv6 } from 'node:net'
import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context } from 'hono'
import { isPrivate, unmapped } from '../../events/process/proxies.ts'
import type { Config } from '../node/config.ts'
import type { ApiNode } from '../node/node.ts'
import type { ProxyFlaw } from './proxy-watch.ts'

/** For a connection that ended before its address was read. */
const UNKNOWN = 'unknown'

const GROUPS_OF_A_NETWORK = 4
const GROUPS_OF_A_SITE = 3

/**
 * The network by which an address is counted: the /64 of an IPv6 address, since one customer has at least that; IPv4
 * unchanged.
 */
export const networkOf = (address: string): string => {
  if (!address.includes(':') || !isIPv6(address)) return address
  // the URL parser writes an address in its one canonical form
  const canonical = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1)
  const [head = '', tail] = canonical.split('::')
  const groups = (part: string) => (part === '' ? [] : part.split(':'))
  const missing = 8 - groups(head).length - groups(tail ?? '').length
  const all = tail === undefined ? groups(head) : [...groups(head), ...Array(missing).fill('0'), ...groups(tail)]
  return `${all.slice(0, GROUPS_OF_A_NETWORK).join(':')}::/64`
}

/**
 * The /48 of a network of `networkOf`; undefined for IPv4. One customer may have that many networks, or a provider may
 * serve thousands of customers from it.
 */
export const siteOf = (network: string): string | undefined =>
  network.endsWith('::/64') ? `${network.split(':').slice(0, GROUPS_OF_A_SITE).join(':')}::/48` : undefined

type Trust = Pick<Config, 'trustedHops' | 'isProxy'>
type Site = Trust & Pick<Config, 'publicUrl'>
type Connection = { peer: string; forwarded: string | undefined }

/** The address in one hop of X-Forwarded-For, to which a proxy may add the port; undefined if the hop has none. */
const addressOfHop = (hop: string): string | undefined => {
  const [, inBrackets, withPort] = /^(?:\[(.*)\](?::\d+)?|([\d.]+):\d+)$/.exec(hop) ?? []
  const address = unmapped(inBrackets ?? withPort ?? hop)
  return isIP(address) > 0 ? address : undefined
}

/** The address that the outermost trusted proxy saw; undefined if the request bypassed one of the proxies. */
const outermostAddress = ({ trustedHops, isProxy }: Trust, { peer, forwarded }: Connection): string | undefined => {
  const hops = (forwarded ?? '').split(',').map((each) => addressOfHop(each.trim()))
  let address = unmapped(peer)
  for (let hop = 1; hop <= trustedHops; hop += 1) {
    const next = hops.at(-hop)
    if (!isProxy(address) || !next) return undefined
    address = next
  }
  return address
}

/**
 * Determines the address that a request counts as. A hop of X-Forwarded-For is believed only if the one before it is a
 * proxy of TRUSTED_PROXIES, starting with the connection's own peer. A request that came through fewer than TRUST_PROXY
 * proxies bypassed one of them, and its sender could have written the header: it counts as its peer.
 *
 * `flaw` is the fault in TRUST_PROXY or TRUSTED_PROXIES that the request reveals. `protocol` is the one that the last
 * proxy reports: if the site is https and its only proxy received http, another proxy in front of it ends TLS.
 */
export const checkConnection = (
  site: Site,
  { protocol, ...connection }: Connection & { protocol: string | undefined },
): { address: string; flaw: ProxyFlaw | undefined } => {
  const outermost = outermostAddress(site, connection)
  if (outermost === undefined) return { address: unmapped(connection.peer), flaw: 'broken' }
  const isPlainHttp = protocol === 'http' && site.publicUrl.startsWith('https:')
  return { address: outermost, flaw: site.trustedHops === 1 && isPlainHttp ? 'too_few' : undefined }
}

const connectionOf = (c: Context): Connection => ({
  peer: getConnInfo(c).remote.address ?? UNKNOWN,
  forwarded: c.req.header('x-forwarded-for'),
})

type Watching = Pick<ApiNode, 'config' | 'onProxyFlaw'>

/** The client's address as the outermost trusted proxy saw it. */
export const exactAddress = ({ config, onProxyFlaw }: Watching, c: Context): string => {
  const connection = { ...connectionOf(c), protocol: c.req.header('x-forwarded-proto') }
  const { address, flaw } = checkConnection(config, connection)
  if (flaw) onProxyFlaw(flaw)
  return address
}

/**
 * The client address by which a request is counted, IPv6 by its /64. Sockets are opened by requests and are counted in
 * the same way.
 */
export const clientAddress = (watching: Watching, c: Context): string => networkOf(exactAddress(watching, c))

/** Whether a request comes from this machine or a private network. A forwarded request has to prove it. */
export const isFromInside = ({ config }: { config: Config }, c: Context): boolean => {
  const connection = connectionOf(c)
  const address = connection.forwarded === undefined ? unmapped(connection.peer) : outermostAddress(config, connection)
  return address !== undefined && isPrivate(address)
}
