import { Cluster, Redis } from 'ioredis'
import { expect, test } from 'vitest'
import { connectRedis, hasShardedPubSub, parseRedisUrl } from './redis.ts'

test('an address of one server names its host, port, database and user', () => {
  expect(parseRedisUrl('redis://ann:p%40ss@cache.example:6400/3')).toEqual({
    kind: 'server',
    isEncrypted: false,
    endpoints: [{ host: 'cache.example', port: 6400 }],
    credentials: { username: 'ann', password: 'p@ss' },
    group: '',
    db: 3,
  })
  expect(parseRedisUrl('rediss://cache.example')).toMatchObject({
    isEncrypted: true,
    endpoints: [{ port: 6379 }],
    db: 0,
  })
  expect(parseRedisUrl('redis://[::1]:6379')).toMatchObject({ endpoints: [{ host: '::1', port: 6379 }] })
})

test('a Sentinel address lists the sentinels and names the group', () => {
  expect(parseRedisUrl('redis+sentinel://:secret@one,two:26380/main/2')).toEqual({
    kind: 'sentinel',
    isEncrypted: false,
    endpoints: [
      { host: 'one', port: 26_379 },
      { host: 'two', port: 26_380 },
    ],
    credentials: { password: 'secret' },
    group: 'main',
    db: 2,
  })
})

test('a Cluster address lists some of its nodes', () => {
  expect(parseRedisUrl('redis+cluster://one:7000,two:7001')).toMatchObject({
    kind: 'cluster',
    endpoints: [
      { host: 'one', port: 7000 },
      { host: 'two', port: 7001 },
    ],
  })
})

test('an address may say that the shards of a Cluster carry pub/sub', () => {
  expect(parseRedisUrl('rediss+sharded://one:7000,two')).toMatchObject({ kind: 'sharded', isEncrypted: true })
  expect(['redis+sharded://one', 'redis+cluster://one'].map(hasShardedPubSub)).toEqual([true, false])
})

test.each([
  '',
  'localhost:6379',
  'http://localhost:6379',
  'redis://',
  'redis://one,two',
  'redis://one:port',
  'redis://one/name',
  'redis+sentinel://one:26379',
])('%j is no address of a Redis', (address) => {
  expect(parseRedisUrl(address)).toBeUndefined()
})

test('rediss encrypts the connections to sentinels and to their group', () => {
  const client = connectRedis('rediss+sentinel://one,two/main', { lazyConnect: true })
  if (!(client instanceof Redis)) throw new Error('a group is reached by a plain client')
  expect(client.options).toMatchObject({ tls: {}, enableTLSForSentinelMode: true, sentinelTLS: {} })
  client.disconnect()
})

test('rediss encrypts the connections to all nodes of a Cluster, by the names of their certificates', () => {
  const client = connectRedis('rediss+cluster://one.example,two.example', { lazyConnect: true })
  if (!(client instanceof Cluster)) throw new Error('a Cluster has a client of its own')
  expect(client.options.redisOptions).toMatchObject({ tls: {} })
  client.options.dnsLookup?.('one.example', (_, address) => expect(address).toBe('one.example'))
  client.disconnect()
})

test('a client that is disconnected between two tries to reach Redis ends, and so do its commands', async () => {
  const client = connectRedis('redis://127.0.0.1:1', { maxRetriesPerRequest: null, lazyConnect: true }) as Redis
  const copy = client.duplicate()
  copy.on('error', () => {})
  const waiting = copy.get('key')
  await new Promise((resolve) => copy.once('reconnecting', resolve))
  const ended = new Promise((resolve) => copy.once('end', resolve))
  copy.disconnect()
  await expect(waiting).rejects.toThrow('closed')
  await ended
})
