import { once } from 'node:events'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectRedis, type RedisClient } from '../../events/stores/redis/redis.ts'
import { testRedisUrl } from '../../events/testing/database.ts'
import { type FaultProxy, openFaultProxy } from '../../events/testing/fault-proxy.ts'
import { OverLimitError, openAdmission } from './admission.ts'
import { LIMITS, NETWORKS_OF_SITE, SLOTS } from './limits.ts'

const KEY = 'a key of the tests'
const RATE = LIMITS.failed_sign_ins.address[0]
const NAME = 'failed_sign_ins'

let proxy: FaultProxy
let clients: [RedisClient, RedisClient]
let admissions: [ReturnType<typeof openAdmission>, ReturnType<typeof openAdmission>]
let direct: Redis

const open = (url: string) =>
  connectRedis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 0, commandTimeout: 2_000 })

beforeAll(async () => {
  const url = await testRedisUrl()
  proxy = await openFaultProxy(url)
  direct = new Redis(url)
  clients = [open(proxy.url), open(proxy.url)]
  const prefix = `{admission-${process.pid}}:`
  for (const client of clients) client.on('error', () => {})
  admissions = [openAdmission(clients[0], { prefix, key: KEY }), openAdmission(clients[1], { prefix, key: KEY })]
  await Promise.all(clients.map((client) => once(client, 'ready')))
})

afterAll(async () => {
  for (const client of clients) client.disconnect()
  direct.disconnect()
  await proxy.close()
})

let addresses = 0
const newAddress = () => {
  addresses += 1
  return `203.0.113.${addresses}`
}

const useUp = async (address: string, points: number = RATE.points) => {
  for (let point = 0; point < points; point += 1) await admissions[point % 2]?.admit(NAME, { address })
}

test('counts over all nodes, and reports when there is room again', async () => {
  const address = newAddress()
  await useUp(address)
  for (const admission of admissions) {
    const refused = await admission.admit(NAME, { address })?.catch((error) => error)
    expect(refused).toBeInstanceOf(OverLimitError)
    expect(refused.retryAfterS).toBeGreaterThan(RATE.windowS - 120)
    expect(refused.retryAfterS).toBeLessThanOrEqual(RATE.windowS)
    expect(refused.message).toMatch(/^There were many failed sign-ins .*\. Please try again in \d+ minutes\.$/)
    expect(await admission.hasRoom(NAME, { address })).toBe(false)
  }
  expect(await admissions[0].hasRoom(NAME, { address: newAddress() })).toBe(true)
})

test('a returned point can be used again', async () => {
  const address = newAddress()
  await useUp(address, RATE.points - 1)
  for (let round = 0; round < 3; round += 1) {
    await admissions[0].admit(NAME, { address })
    await admissions[1].refund(NAME, { address })
  }
  expect(await admissions[0].hasRoom(NAME, { address })).toBe(true)
  expect(await admissions[0].hasRoom(NAME, { address })).toBe(false)
})

test('messages, which nodes count in leases, end at the limit over all nodes', async () => {
  const address = newAddress()
  const { points, windowS, lease } = LIMITS.messages.address[0]
  let taken = 0
  while (await admissions[taken % 2]?.hasRoom('messages', { address })) taken += 1
  expect(taken).toBeGreaterThan(points - lease)
  expect(taken).toBeLessThanOrEqual(points)
  const refused = await admissions[1].admit('messages', { address })?.catch((error) => error)
  expect(refused.retryAfterS).toBeGreaterThan(windowS - 120)
  expect(await admissions[0].hasRoom('messages', { address: newAddress() })).toBe(true)
})

test('a long wait is reported in hours', () => {
  const told = [90, 600, 7_199, 7_200, 86_400].map((waitS) => new OverLimitError('messages', 'Much.', waitS).message)
  const waits = ['90 seconds', '10 minutes', '120 minutes', '2 hours', '24 hours']
  expect(told).toEqual(waits.map((wait) => `Much. Please try again in ${wait}.`))
})

test('each dimension is counted separately, and only if it is known', async () => {
  const account = 'account'
  for (let point = 0; point < LIMITS.failed_sign_ins_of_account.account[0].points; point += 1) {
    await admissions[0].admit('failed_sign_ins_of_account', { session: `device ${point}`, account })
  }
  expect(await admissions[0].hasRoom('failed_sign_ins_of_account', { session: 'another', account })).toBe(false)
  expect(await admissions[0].hasRoom('failed_sign_ins_of_account', { session: 'another' })).toBe(true)
})

test('an address counts with the others of its /48 too, unless it is over its own limit', async () => {
  const addressOf = (network: number) => `2001:db8:${process.pid % 10_000}:${network}::/64`
  for (let point = 0; point < RATE.points; point += 1) await admissions[0].admit(NAME, { address: addressOf(0) })
  for (let try_ = 0; try_ < RATE.points; try_ += 1) {
    expect(await admissions[0].hasRoom(NAME, { address: addressOf(0) })).toBe(false)
  }
  const rest = RATE.points * (NETWORKS_OF_SITE - 1)
  for (let point = 1; point <= rest; point += 1) await admissions[point % 2]?.admit(NAME, { address: addressOf(point) })
  await admissions[0].refund(NAME, { address: addressOf(1) })
  expect(await admissions[0].hasRoom(NAME, { address: addressOf(rest + 1) })).toBe(true)
  expect(await admissions[0].hasRoom(NAME, { address: addressOf(rest + 2) })).toBe(false)
  expect(await admissions[0].hasRoom(NAME, { address: '2001:db8:ffff:1::/64' })).toBe(true)
})

test('the addresses of a /48 hold a limited number of slots together', () => {
  const [admission] = admissions
  const addressOf = (network: number) => `2001:db8:1:${network}::/64`
  const { ofSite } = SLOTS.chat_uploads_of_address
  const held = Array.from({ length: ofSite }, (_, network) =>
    admission.hold('chat_uploads_of_address', addressOf(network)),
  )
  for (let tries = 0; tries < SLOTS.chat_uploads_of_address.most + 1; tries += 1) {
    expect(() => admission.hold('chat_uploads_of_address', addressOf(ofSite))).toThrow(/files are on their way/)
  }
  held[0]?.()
  admission.hold('chat_uploads_of_address', addressOf(ofSite))
})

test('Redis sees callers only as hashes', async () => {
  await admissions[0].admit(NAME, { address: '198.51.100.99' })
  const keys = await direct.keys('*limit:*')
  expect(keys.length).toBeGreaterThan(0)
  expect(keys.join('\n')).not.toContain('198.51.100.99')
})

test('an address holds a limited number of slots at once, and can take a released one again', () => {
  const [admission] = admissions
  const address = newAddress()
  const held = Array.from({ length: SLOTS.sockets.most }, () => admission.hold('sockets', address))
  expect(() => admission.hold('sockets', address)).toThrow(OverLimitError)
  admission.hold('sockets', newAddress())()
  held[0]?.()
  held[0]?.()
  const again = admission.hold('sockets', address)
  expect(() => admission.hold('sockets', address)).toThrow(OverLimitError)
  for (const letGo of [...held, again]) letGo()
})

test('while Redis refuses or is silent a node counts alone without waiting for it each time, and uses it again later', async () => {
  for (const fail of [() => proxy.stall(), () => proxy.refuse()]) {
    const address = newAddress()
    await fail()
    const began = performance.now()
    for (let point = 0; point < RATE.points; point += 1) await admissions[0].admit(NAME, { address })
    expect(performance.now() - began).toBeLessThan(5_000)
    expect(await admissions[0].hasRoom(NAME, { address })).toBe(false)
    await proxy.resume()
    await expect.poll(() => clients[0].status).toBe('ready')
  }
  const before = (await direct.keys('*')).length
  await expect
    .poll(async () => {
      await admissions[0].admit(NAME, { address: newAddress() })
      return (await direct.keys('*')).length
    })
    .toBeGreaterThan(before)
})
