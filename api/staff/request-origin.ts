import { createHmac } from 'node:crypto'
import { isIPv4, isIPv6 } from 'node:net'
import type { Context } from 'hono'
import type { From } from '../../events/staff/account-history.ts'
import { clientAddress } from '../admission/client-address.ts'
import type { ApiNode } from '../node/node.ts'

/** Enough to distinguish places, and too little to look one up in a list of all addresses without the key. */
const PLACE_CHARACTERS = 16

/** Names in a User-Agent header; those that appear together with a later one come first. */
const BROWSERS: readonly (readonly [name: string, sign: RegExp])[] = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
]
const SYSTEMS: readonly (readonly [name: string, sign: RegExp])[] = [
  ['iPhone or iPad', /\b(iPhone|iPad)\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
]

const OTHER = 'other'

const named = (list: typeof BROWSERS, userAgent: string) => list.find(([, sign]) => sign.test(userAgent))?.[0] ?? OTHER

/** The browser and the system of a User-Agent header, by this list's names: never text of the header. */
export const browserOf = (userAgent: string): Pick<From, 'browser' | 'system'> => ({
  browser: named(BROWSERS, userAgent),
  system: named(SYSTEMS, userAgent),
})

/** The shown part of an address (of an IPv6 one its /64): `203.0.x.x`, `2001:db8:x`. Thousands of connections share it. */
export const coarseNetwork = (address: string): string => {
  if (isIPv4(address)) return `${address.split('.').slice(0, 2).join('.')}.x.x`
  const [network = ''] = address.split('/')
  return isIPv6(network) ? `${network.split(':').slice(0, 2).join(':')}:x` : OTHER
}

/** The origin of a request, as the history of accounts stores it. */
export const originOf = (node: ApiNode, c: Context): From => {
  const address = clientAddress(node, c)
  const place = createHmac('sha256', node.config.signingKeys.places[0]).update(address).digest('base64url')
  return {
    place: place.slice(0, PLACE_CHARACTERS),
    network: coarseNetwork(address),
    ...browserOf(c.req.header('user-agent') ?? ''),
  }
}

/** An origin as staff see it, and whether it is the place from which they look. */
export const shownOrigin = ({ place, network, browser, system }: From, ownPlace: string) => ({
  network,
  browser,
  system,
  isHere: place === ownPlace,
})
