import type { LookupOptions } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { unmapped } from './proxies.ts'

/**
 * The addresses that are not on the internet (IANA's registries of special-purpose addresses), and those that lead back
 * to such an address by another way: NAT64 and 6to4.
 */
const INNER_NETWORKS = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]
/** Of IPv6 this alone is given out to the internet. */
const OUTER_IPV6 = '2000::/3'
const INNER_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const listOf = (networks: readonly string[], family: 'ipv4' | 'ipv6') => {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    list.addSubnet(address, Number(bits), family)
  }
  return list
}

const inner = { ipv4: listOf(INNER_NETWORKS, 'ipv4'), ipv6: listOf(INNER_IPV6, 'ipv6') }
const outer = listOf([OUTER_IPV6], 'ipv6')

/** Whether an IP address is on the internet, and not of this machine, a private network, or no host at all. */
export const isPublicAddress = (address: string): boolean => {
  const plain = unmapped(address)
  if (isIP(plain) === 4) return !inner.ipv4.check(plain, 'ipv4')
  return isIP(plain) === 6 && outer.check(plain, 'ipv6') && !inner.ipv6.check(plain, 'ipv6')
}

/** A request from here was addressed to a host that is not on the internet. */
export class InnerAddressError extends Error {
  override name = 'InnerAddressError'
}

/** Whether a host is an address that is not on the internet, or a name that no outside network knows. */
export const isInnerHost = (host: string): boolean => {
  const plain = host.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  return isIP(plain) > 0
    ? !isPublicAddress(plain)
    : !plain.includes('.') || /\.(localhost|local|internal)$/i.test(plain)
}

/** A name server that says nothing is asked twice: after 2 s, and then longer. */
const DNS_TIMEOUT_MS = 2_000
const DNS_TRIES = 2

/** How long to wait for the addresses of one kind once those of the other are there (RFC 8305 waits less). */
const OTHER_FAMILY_MS = 500

type Found = { address: string; family: 4 | 6 }

/**
 * The addresses of a name, IPv4 first: not every network has IPv6. Some name servers do not respond about IPv6: the
 * addresses that are there by then count. The system's own list of hosts does not.
 */
const addressesOf = async (host: string, family: LookupOptions['family'], servers: readonly string[] | undefined) => {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES })
  if (servers) resolver.setServers(servers)
  const lookups: Promise<Found[]>[] = []
  const foundOf = (addresses: string[], of: Found['family']) => addresses.map((address) => ({ address, family: of }))
  if (family !== 6 && family !== 'IPv6') lookups.push(resolver.resolve4(host).then((found) => foundOf(found, 4)))
  if (family !== 4 && family !== 'IPv4') lookups.push(resolver.resolve6(host).then((found) => foundOf(found, 6)))
  const othersTimeout = Promise.any(lookups).then(
    () => delay(OTHER_FAMILY_MS, undefined, { ref: false }),
    () => {},
  )
  othersTimeout.then(() => resolver.cancel())
  const answers = await Promise.allSettled(lookups)
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  const failed = answers.find((answer) => answer.status === 'rejected')
  if (found.length === 0 && failed) throw failed.reason
  return found
}

const publicAddressesOf = async (...[host, ...how]: Parameters<typeof addressesOf>): Promise<Found[]> => {
  if (isInnerHost(host)) throw new InnerAddressError(`${host} is not on the internet`)
  const found = await addressesOf(host, ...how)
  const hidden = found.find(({ address }) => !isPublicAddress(address))
  if (hidden) throw new InnerAddressError(`${host} is ${hidden.address}, which is not on the internet`)
  return found
}

/**
 * Creates the look-up of names for connections. It fails if one of a name's addresses is not on the internet: anyone
 * can register a name. It queries the name `servers` itself, those of the system by default. The system's own look-up
 * has four threads for a whole process, so a few names with silent servers would hold up all others.
 */
export const openLookUp =
  (servers?: readonly string[]): LookupFunction =>
  (host, { all, family }, callback) => {
    publicAddressesOf(host, family, servers).then(
      (found) => {
        const [first] = found
        if (all) callback(null, found)
        else callback(null, first?.address ?? '', first?.family)
      },
      (error) => callback(error, ''),
    )
  }

export const lookUpPublic = openLookUp()

/** An address of a host on the internet. Rejects with an InnerAddressError if one of its addresses is not there. */
export const findPublicAddress = async (host: string): Promise<string> => {
  if (isIP(host) > 0 && isPublicAddress(host)) return host
  const [first] = await publicAddressesOf(host, 0, undefined)
  if (!first) throw new Error(`${host} has no address`)
  return first.address
}

/**
 * Whether a request may go to an address: by HTTPS, without a password, and on the internet, or to one of the
 * `testOrigins`.
 */
export const isOutsideAddress = (address: string, testOrigins: readonly string[]): boolean => {
  if (!URL.canParse(address)) return false
  const { protocol, hostname, origin, username, password } = new URL(address)
  if (testOrigins.includes(origin)) return true
  return protocol === 'https:' && username === '' && password === '' && !isInnerHost(hostname)
}
