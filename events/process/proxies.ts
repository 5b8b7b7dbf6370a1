import { BlockList, isIP, isIPv4, isIPv6, SocketAddress } from 'node:net'
import { networkInterfaces } from 'node:os'
import * as v from 'valibot'

/**
 * Loopback, private and link-local networks: the sources of a proxy on the same machine, in the same compose network or
 * in the same data centre. Nothing on the internet can have such an address.
 */
export const PRIVATE_NETWORKS = [
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
].join(',')

/** Whether an address belongs to a trusted proxy. */
export type IsProxy = (address: string) => boolean

const family = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** In TRUSTED_PROXIES: every network that this machine, or this container, has an address in. */
const OWN_NETWORKS = 'own-networks'

const ownNetworks = () =>
  Object.values(networkInterfaces()).flatMap((addresses) => (addresses ?? []).flatMap(({ cidr }) => cidr ?? []))

const EXPECTED = 'expected addresses or networks with commas between them, such as 10.0.0.5,172.16.0.0/12'

/** Returns the IPv4 address that an IPv6 one maps, as ::ffff:192.0.2.1 or ::ffff:c000:201; any other as it is. */
export const unmapped = (address: string): string => {
  if (!address.includes(':')) return address
  // nearly always it is written as the system writes it, which takes a tenth of the time
  const asWritten = address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : ''
  if (isIPv4(asWritten)) return asWritten
  if (!isIPv6(address)) return address
  // the system writes the IPv4 address within another one in its own form, however it was given
  const { address: canonical } = new SocketAddress({ address: address.replace(/%.*$/, ''), family: 'ipv6' })
  const inner = /^::ffff:(\d+\..*)$/.exec(canonical)?.[1]
  return inner ?? address
}

/**
 * TRUSTED_PROXIES: addresses and networks (CIDR) from which X-Forwarded-For is believed. `own-networks` among them
 * means the networks that the machine is in when it starts.
 */
export const trustedProxies = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }): IsProxy => {
    const list = new BlockList()
    const entries = dataset.value.split(',').map((each) => each.trim())
    for (const entry of entries.flatMap((each) => (each === OWN_NETWORKS ? ownNetworks() : [each]))) {
      const [address = '', bits, ...rest] = entry.split('/')
      const most = isIP(address) === 6 ? 128 : 32
      if (
        isIP(address) === 0 ||
        rest.length > 0 ||
        (bits !== undefined && !(/^\d{1,3}$/.test(bits) && +bits <= most))
      ) {
        addIssue({ message: EXPECTED })
        return NEVER
      }
      list.addSubnet(address, bits === undefined ? most : Number(bits), family(address))
    }
    return (address) => isIP(address) > 0 && list.check(address, family(address))
  }),
)

/** Whether an address belongs to this machine or to a private network. */
export const isPrivate: IsProxy = v.parse(trustedProxies, PRIVATE_NETWORKS)
