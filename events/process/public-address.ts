import { lookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { unmapped } from './proxies.ts'

/**
 * What is not on the internet (IANA's registries of special-purpose addresses), and what would lead back to such an address
 * by another way: NAT64 and 6to4.
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

/** Whether an IP address is one of the internet, and not of this machine, a private network, or of no host at all. */
export const isPublicAddress = (address: string): boolean => {
  const plain = unmapped(address)
  if (isIP(plain) === 4) return !inner.ipv4.check(plain, 'ipv4')
  return isIP(plain) === 6 && outer.check(plain, 'ipv6') && !inner.ipv6.check(plain, 'ipv6')
}

/** A request from here was to reach what is not on the internet. */
export class InnerAddressError extends Error {
  override name = 'InnerAddressError'
}

/** Whether a host is written as an address that is not of the internet, or is a name that no network outside knows. */
export const isInnerHost = (host: string): boolean => {
  const plain = host.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  return isIP(plain) > 0
    ? !isPublicAddress(plain)
    : !plain.includes('.') || /\.(localhost|local|internal)$/i.test(plain)
}

/** Looks up a name for a connection. It fails where one of its addresses is not of the internet: names can be anybody's. */
export const lookUpPublic: LookupFunction = (host, options, callback) => {
  lookup(host, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, '')
    const hidden = addresses.find(({ address }) => !isPublicAddress(address))
    if (hidden) return callback(new InnerAddressError(`${host} is ${hidden.address}, which is not on the internet`), '')
    const [first] = addresses
    if (options.all) callback(null, addresses)
    else callback(null, first?.address ?? '', first?.family)
  })
}

/** Whether a request may go to an address: by HTTPS, without a password, and on the internet, or to one of the `testOrigins`. */
export const isOutsideAddress = (address: string, testOrigins: readonly string[]): boolean => {
  if (!URL.canParse(address)) return false
  const { protocol, hostname, origin, username, password } = new URL(address)
  if (testOrigins.includes(origin)) return true
  return protocol === 'https:' && username === '' && password === '' && !isInnerHost(hostname)
}
