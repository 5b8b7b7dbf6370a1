import { expect, test } from 'vitest'
import { openNameServer } from '../testing/name-server.ts'
import { isInnerHost, isPublicAddress, lookUpPublic, openLookUp } from './public-address.ts'

test.each(['93.184.216.34', '1.1.1.1', '2606:4700:4700::1111', '::ffff:8.8.8.8'])('%s is on the internet', (address) =>
  expect(isPublicAddress(address)).toBe(true),
)

test.each([
  '127.0.0.1',
  '10.1.2.3',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '::1',
  '::',
  'fe80::1',
  'fd00::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  'no address',
])('%s is not', (address) => expect(isPublicAddress(address)).toBe(false))

test('a host that is such an address, or a name of this machine only, is an inner one', () => {
  for (const host of ['127.0.0.1', '[::1]', 'localhost', 'postgres', 'api.localhost', 'db.internal', 'localhost.'])
    expect([host, isInnerHost(host)]).toEqual([host, true])
  for (const host of ['fcm.googleapis.com', '8.8.8.8', 'web.push.apple.com'])
    expect([host, isInnerHost(host)]).toEqual([host, false])
})

test('a name that leads to this machine is not looked up', async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  lookUpPublic('localhost', {}, resolve)
  expect(await promise).toMatchObject({ name: 'InnerAddressError' })
})

test('a name is accepted only if all its addresses are on the internet, and silent servers hold up no other', async () => {
  const half = 'half.example.com'
  const server = await openNameServer(
    {
      'hooks.example.com': ['93.184.216.34', '1.1.1.1'],
      'rebound.example.com': ['93.184.216.34', '127.0.0.1'],
      [half]: ['93.184.216.34'],
    },
    { silentOnIpv6: [half] },
  )
  const look = openLookUp([server.address])
  const ask = (host: string) => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    look(host, { all: true }, (error, addresses) => resolve(error ?? addresses))
    return promise
  }
  const hanging = Array.from({ length: 8 }, (_, index) => ask(`silent-${index}.example.com`))
  const begun = performance.now()
  expect(await ask('hooks.example.com')).toEqual([
    { address: '93.184.216.34', family: 4 },
    { address: '1.1.1.1', family: 4 },
  ])
  expect(await ask('rebound.example.com')).toMatchObject({ name: 'InnerAddressError' })
  expect(await ask(half)).toEqual([{ address: '93.184.216.34', family: 4 }])
  expect(performance.now() - begun).toBeLessThan(1_500)
  for (const found of await Promise.all(hanging)) expect(found).toMatchObject({ code: 'ETIMEOUT' })
  await server.close()
}, 20_000)
