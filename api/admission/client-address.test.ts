import * as v from 'valibot'
import { expect, test } from 'vitest'
import { PRIVATE_NETWORKS, trustedProxies } from '../../events/process/proxies.ts'
import { checkConnection, networkOf, siteOf } from './client-address.ts'

const isProxy = v.parse(trustedProxies, PRIVATE_NETWORKS)
const FORGED = '198.51.100.66'
const CLIENT = '203.0.113.7'
const OUTER = '10.0.0.2'
const INNER = '172.18.0.5'
const SITE = { isProxy, publicUrl: 'https://www.agency.example' }

test.each<[hops: number, peer: string, forwarded: string | undefined, counted: string]>([
  [0, CLIENT, FORGED, CLIENT],
  [0, OUTER, FORGED, OUTER],
  // one proxy, which adds the address that it sees to the header that it received
  [1, INNER, CLIENT, CLIENT],
  [1, INNER, `${FORGED}, ${CLIENT}`, CLIENT],
  [1, `::ffff:${INNER}`, CLIENT, CLIENT],
  // one IPv4 address as proxies write it
  [1, '::ffff:ac12:5', CLIENT, CLIENT],
  [1, INNER, `::ffff:${CLIENT}`, CLIENT],
  [1, INNER, '::FFFF:CB00:7107', CLIENT],
  [1, INNER, `0:0:0:0:0:ffff:${CLIENT}`, CLIENT],
  [1, INNER, '0000:0000:0000:0000:0000:ffff:cb00:7107', CLIENT],
  [1, INNER, `${CLIENT}:50123`, CLIENT],
  [1, INNER, `[::ffff:${CLIENT}]:50123`, CLIENT],
  [1, INNER, '[2001:db8::1]:50123', '2001:db8::1'],
  // a hop that is no address was written by no proxy that counts
  [1, INNER, 'unknown', INNER],
  [1, INNER, `${CLIENT}, 203.0.113.007`, INNER],
  // a node that is reached without its proxy
  [1, CLIENT, FORGED, CLIENT],
  [2, CLIENT, `${FORGED}, ${OUTER}`, CLIENT],
  // two proxies, and callers that bypass the outer one
  [2, INNER, `${CLIENT}, ${OUTER}`, CLIENT],
  [2, INNER, `${FORGED}, ${CLIENT}, ${OUTER}`, CLIENT],
  [2, INNER, `${FORGED}, ${CLIENT}`, INNER],
  [2, INNER, FORGED, INNER],
  [1, INNER, undefined, INNER],
  [1, INNER, '', INNER],
])('with %i proxies, a peer %s that forwards %j counts as %s', (trustedHops, peer, forwarded, counted) => {
  const { address } = checkConnection({ ...SITE, trustedHops }, { peer, forwarded, protocol: undefined })
  expect(address).toBe(counted)
})

test.each<[string | undefined, { hops: number; site: string; forwarded?: string; protocol?: string }]>([
  [undefined, { hops: 1, site: 'https:', forwarded: CLIENT, protocol: 'https' }],
  [undefined, { hops: 1, site: 'https:', forwarded: CLIENT }],
  [undefined, { hops: 1, site: 'http:', forwarded: CLIENT, protocol: 'http' }],
  // nginx behind a host that ends TLS, counted and not counted
  [undefined, { hops: 2, site: 'https:', forwarded: `${CLIENT}, ${OUTER}`, protocol: 'http' }],
  ['too_few', { hops: 1, site: 'https:', forwarded: `${CLIENT}, ${OUTER}`, protocol: 'http' }],
  // a host before nginx that adds no address
  ['broken', { hops: 2, site: 'https:', forwarded: OUTER, protocol: 'http' }],
  ['broken', { hops: 1, site: 'https:' }],
  [undefined, { hops: 0, site: 'https:' }],
])('finds the set-up of proxies %s: %j', (flaw, { hops, site, forwarded, protocol }) => {
  const config = { trustedHops: hops, isProxy, publicUrl: `${site}//www.agency.example` }
  expect(checkConnection(config, { peer: INNER, forwarded, protocol }).flaw).toBe(flaw)
})

test('only the proxies that are named are believed, private or not', () => {
  const named = v.parse(trustedProxies, '192.0.2.10, 2001:db8::/32')
  const config = { ...SITE, trustedHops: 1, isProxy: named }
  const addressOf = (peer: string) => checkConnection(config, { peer, forwarded: CLIENT, protocol: undefined }).address
  expect(addressOf('192.0.2.10')).toBe(CLIENT)
  expect(addressOf('2001:db8::1')).toBe(CLIENT)
  expect(addressOf('127.0.0.1')).toBe('127.0.0.1')
})

test('own-networks are those that this machine has an address in', () => {
  const own = v.parse(trustedProxies, `own-networks, ${CLIENT}`)
  expect(['127.0.0.1', '127.9.9.9', CLIENT].map(own)).toEqual([true, true, true])
  expect(own(FORGED)).toBe(false)
})

test.each(['nginx', '10.0.0.0/33', '10.0.0.0/8/8', '', '10.0.0.0/-1'])('refuses %j as a list of proxies', (text) => {
  expect(v.safeParse(trustedProxies, text).success).toBe(false)
})

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::ffff', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['unknown', 'unknown'],
  ['not an address', 'not an address'],
])('counts %s as %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

test.each([
  ['203.0.113.7', undefined],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['::1', '0:0:0::/48'],
  ['unknown', undefined],
])('counts the network of %s as a part of %s', (address, site) => {
  expect(siteOf(networkOf(address))).toBe(site)
})
