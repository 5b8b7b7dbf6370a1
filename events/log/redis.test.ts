import { expect, test } from 'vitest'
import { redisPrefix } from './prefix.ts'
import { parseRedisUrl } from './redis.ts'

const one = { credentials: {}, group: '', db: 0 }

test.each([
  ['redis://localhost', { ...one, scheme: 'redis', endpoints: [{ host: 'localhost', port: 6_379 }] }],
  ['redis://localhost:7000/3', { ...one, scheme: 'redis', endpoints: [{ host: 'localhost', port: 7_000 }], db: 3 }],
  ['redis://[::1]:7000', { ...one, scheme: 'redis', endpoints: [{ host: '::1', port: 7_000 }] }],
  [
    'rediss://me:p%40ss@redis.example.com',
    {
      ...one,
      scheme: 'rediss',
      endpoints: [{ host: 'redis.example.com', port: 6_379 }],
      credentials: { username: 'me', password: 'p@ss' },
    },
  ],
  [
    'redis://:secret@localhost',
    { ...one, scheme: 'redis', endpoints: [{ host: 'localhost', port: 6_379 }], credentials: { password: 'secret' } },
  ],
  [
    'redis+sentinel://a,b:26380/main/2',
    {
      ...one,
      scheme: 'redis+sentinel',
      endpoints: [
        { host: 'a', port: 26_379 },
        { host: 'b', port: 26_380 },
      ],
      group: 'main',
      db: 2,
    },
  ],
  [
    'redis+cluster://a:7000,b',
    {
      ...one,
      scheme: 'redis+cluster',
      endpoints: [
        { host: 'a', port: 7_000 },
        { host: 'b', port: 6_379 },
      ],
    },
  ],
])('the address %s is understood', (text, parsed) => {
  expect(parseRedisUrl(text)).toMatchObject(parsed)
})

test.each([
  '',
  'localhost:6379',
  'http://localhost',
  'redis://',
  'redis://a,b',
  'redis://localhost:port',
  'redis://localhost/x',
  'redis+sentinel://a,b',
])('the address %j is refused', (text) => {
  expect(parseRedisUrl(text)).toBeUndefined()
})

test("names in Redis begin with the log's epoch, in braces for Cluster", () => {
  expect(redisPrefix('0b8d9f64-3a55-4b0c-8d0b-5d8e1c2a9f33')).toBe('{agency-0b8d9f64}:')
})
