import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { testRedisUrl } from '../../testing/database.ts'
import { type FaultProxy, openFaultProxy } from '../../testing/fault-proxy.ts'
import { canRunRedisGroups, startRedisCluster } from '../../testing/redis-group.ts'
import { type Bus, openBus } from './bus.ts'

const WAIT = { timeout: 30_000, interval: 5 }

let redisUrl: string
let proxy: FaultProxy
let bus: Bus
let errors: Error[]

beforeEach(async () => {
  redisUrl = await testRedisUrl()
  proxy = await openFaultProxy(redisUrl)
  errors = []
  bus = openBus(proxy.url, { prefix: `test-${randomUUID()}:`, onError: (error) => errors.push(error) })
  await isUp(bus)
})

afterEach(async () => {
  bus.close()
  await proxy.close()
})

const isUp = (which: Bus, expected = true) => vi.waitFor(() => expect(which.isUp).toBe(expected), WAIT)

const collect = () => {
  const messages: string[] = []
  return {
    messages,
    listener: (message: string) => messages.push(message),
    has: (expected: string[]) => vi.waitFor(() => expect(messages).toEqual(expected), WAIT),
  }
}

test('each listener of a channel gets its messages, and those of no other channel or product', async () => {
  const [first, second, elsewhere] = [collect(), collect(), collect()]
  const product = openBus(redisUrl, { prefix: 'test-other-product:', onError: () => {} })
  await isUp(product)
  await Promise.all([
    bus.subscribe('news', first.listener),
    bus.subscribe('news', second.listener),
    bus.subscribe('sport', elsewhere.listener),
    product.subscribe('news', elsewhere.listener),
  ])
  await bus.publish('news', 'a')
  await bus.publish('news', 'b')
  await first.has(['a', 'b'])
  await second.has(['a', 'b'])
  expect(elsewhere.messages).toEqual([])
  product.close()
})

test('a listener of a pattern gets the messages of each channel that fits it, also after Redis was away', async () => {
  const [all, one] = [collect(), collect()]
  await bus.subscribe('news:*', all.listener)
  await bus.subscribe('news:a', one.listener)
  await Promise.all([bus.publish('news:a', '1'), bus.publish('news:b', '2'), bus.publish('new', '3')])
  await all.has(['1', '2'])
  await one.has(['1'])
  await proxy.refuse()
  await isUp(bus, false)
  await proxy.resume()
  await isUp(bus)
  await vi.waitFor(async () => expect(await bus.publish('news:c', '4')).toBe(true), WAIT)
  await all.has(['1', '2', '4'])
  bus.unsubscribe('news:*', all.listener)
  await bus.publish('news:a', '5')
  await one.has(['1', '5'])
  expect(all.messages).toEqual(['1', '2', '4'])
})

test('one of two listeners can leave; the other continues', async () => {
  const [leaving, staying] = [collect(), collect()]
  await bus.subscribe('news', leaving.listener)
  await bus.subscribe('news', staying.listener)
  bus.unsubscribe('news', leaving.listener)
  await bus.publish('news', 'a')
  await staying.has(['a'])
  expect(leaving.messages).toEqual([])
  bus.unsubscribe('news', staying.listener)
  await bus.publish('news', 'b')
  const again = collect()
  await bus.subscribe('news', again.listener)
  await bus.publish('news', 'c')
  await again.has(['c'])
  expect(staying.messages).toEqual(['a'])
})

test('while Redis is away publishing and subscribing return false at once, and on return all are subscribed', async () => {
  const [before, during] = [collect(), collect()]
  let reconnects = 0
  let disconnects = 0
  bus.onReconnect(() => reconnects++)
  bus.onDisconnect(() => disconnects++)
  await bus.subscribe('news', before.listener)
  await proxy.refuse()
  await isUp(bus, false)
  expect(disconnects).toBe(1)
  expect(await bus.publish('news', 'lost')).toBe(false)
  expect(await bus.subscribe('sport', during.listener)).toBe(false)
  await proxy.resume()
  await isUp(bus)
  expect(reconnects).toBe(1)
  await vi.waitFor(async () => expect(await bus.publish('sport', 'b')).toBe(true), WAIT)
  await bus.publish('news', 'a')
  await before.has(['a'])
  await vi.waitFor(() => expect(during.messages).toContain('b'), WAIT)
  expect(errors.length).toBeGreaterThan(0)
})

test('a Redis that does not respond holds up a publisher for two seconds at most', async () => {
  proxy.stall()
  // both timers are this process's own: however late they fire, they do in their order
  const late = delay(2_500, 'late', { ref: false })
  expect(await Promise.race([bus.publish('news', 'a'), late])).toBe(false)
  await proxy.resume()
})

test.runIf(await canRunRedisGroups())(
  'the shards of a Cluster carry messages, to those who listen to a pattern too',
  async () => {
    const group = await startRedisCluster('any', 'sharded')
    const [one, two] = [0, 1].map(() => openBus(group.url, { prefix: '{test}:', onError: () => {} })) as [Bus, Bus]
    try {
      await Promise.all([one, two].map((each) => isUp(each)))
      const [all, some] = [collect(), collect()]
      const channels = Array.from({ length: 40 }, (_, number) => `chat:${number}-a`)
      await two.subscribe('chat:*-*', all.listener)
      for (const channel of channels) await two.subscribe(channel, some.listener)
      const sent = await Promise.all(channels.map((channel) => one.publish(channel, channel, 'chat:*-*')))
      expect(sent).not.toContain(false)
      await vi.waitFor(() => expect(all.messages.toSorted()).toEqual(channels.toSorted()), WAIT)
      await vi.waitFor(() => expect(some.messages.toSorted()).toEqual(channels.toSorted()), WAIT)
      const masters = await Promise.all(group.masters.map(({ redis }) => redis.call('PUBSUB', 'SHARDCHANNELS')))
      for (const held of masters) expect((held as string[]).length).toBeGreaterThan(5)
      two.unsubscribe('chat:*-*', all.listener)
      await one.publish(channels[0] ?? '', 'last', 'chat:*-*')
      await vi.waitFor(() => expect(some.messages).toContain('last'), WAIT)
      expect(all.messages).not.toContain('last')
    } finally {
      one.close()
      two.close()
      await group.stop()
    }
  },
)
