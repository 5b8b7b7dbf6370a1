import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testRedisUrl } from '../database.ts'
import { type FaultProxy, openFaultProxy } from '../fault-proxy.ts'
import { loseNews } from './lost-news.ts'

const MESSAGES = 40

let proxy: FaultProxy
let through: Redis
let direct: Redis
let isLost = () => false

beforeAll(async () => {
  const redisUrl = await testRedisUrl()
  proxy = await openFaultProxy(redisUrl, { answers: () => loseNews(() => isLost()) })
  through = new Redis(proxy.url)
  direct = new Redis(redisUrl)
})

afterAll(async () => {
  through.disconnect()
  direct.disconnect()
  await proxy.close()
})

test('published messages that are to be lost do not arrive, all others and every reply do', async () => {
  const listening = through.duplicate()
  const came: string[] = []
  listening.on('message', (_, text) => came.push(text))
  await listening.subscribe('lost-news')
  let turn = 0
  isLost = () => {
    turn += 1
    return turn % 3 === 0
  }
  const texts = Array.from({ length: MESSAGES }, (_, index) => `${index} ${'x'.repeat(index * 100)}`)
  for (const text of texts) await direct.publish('lost-news', text)
  expect(await listening.ping()).toEqual(expect.anything())
  await expect.poll(() => turn).toBe(MESSAGES)
  const expected = texts.filter((_, index) => (index + 1) % 3 !== 0)
  await expect.poll(() => came).toEqual(expected)
  listening.disconnect()
})

test('replies of every kind pass, also in pieces', async () => {
  await direct.hset('lost-news-hash', { a: '1', b: 'ü\r\nmessage' })
  await direct.rpush('lost-news-list', 'one', 'two')
  const big = 'y'.repeat(300_000)
  await direct.set('lost-news-text', big)
  expect(await through.hgetall('lost-news-hash')).toEqual({ a: '1', b: 'ü\r\nmessage' })
  expect(await through.lrange('lost-news-list', 0, -1)).toEqual(['one', 'two'])
  expect(await through.get('lost-news-text')).toBe(big)
  expect(await through.get('lost-news-nothing')).toBeNull()
  expect(await through.lrange('lost-news-nothing', 0, -1)).toEqual([])
  await expect(through.call('lost-news-unknown')).rejects.toThrow(/unknown command/i)
})
