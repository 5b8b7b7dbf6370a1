import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { brotliCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { connect, type Sql } from '../../events/stores/connection.ts'
import { createTestDatabase, testRedisUrl } from '../../events/testing/database.ts'
import { type FaultProxy, openFaultProxy } from '../../events/testing/fault-proxy.ts'
import { eventually, signIn, startTestNode, type TestNode } from '../../events/testing/node.ts'
import { type Assets, loadAssets, shareAssets } from '../assets.ts'
import { etagOf } from '../http/page.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let postgres: FaultProxy
let redis: FaultProxy
let node: TestNode

beforeAll(async () => {
  database = await createTestDatabase()
  postgres = await openFaultProxy(database.url)
  redis = await openFaultProxy(await testRedisUrl())
  node = await startTestNode({ databaseUrl: postgres.url, redisUrl: redis.url }, { TRUST_PROXY: '1' })
})

afterAll(async () => {
  await node.stop()
  await Promise.all([postgres.close(), redis.close()])
  await database.drop()
})

const ready = async () => {
  const response = await node.call('/readyz')
  return { status: response.status, ...(await response.json()) }
}
const alive = async () => (await node.call('/healthz')).status

describe('readiness', () => {
  test('is 200 while Postgres is reached', async () => {
    await eventually(async () =>
      expect(await ready()).toEqual({ status: 200, postgres: 'up', redis: 'up', node: 'up', failing: [] }),
    )
    expect(await alive()).toBe(200)
  })

  test('is 503 and names Postgres while it is away, and recovers by itself', async () => {
    await postgres.refuse()
    await eventually(async () => expect(await ready()).toMatchObject({ status: 503, failing: ['postgres'] }))
    expect(await alive()).toBe(200)
    await postgres.resume()
    await eventually(async () => expect(await ready()).toMatchObject({ status: 200, failing: [] }))
  })

  test('is 503 while Postgres does not answer, within some seconds', async () => {
    postgres.stall()
    const start = performance.now()
    expect(await ready()).toMatchObject({ status: 503, failing: ['postgres'] })
    expect(performance.now() - start).toBeLessThan(10_000)
    await postgres.resume()
    await eventually(async () => expect(await ready()).toMatchObject({ status: 200 }))
  })

  test('stays 200 while Redis is away, and reports that', async () => {
    await redis.refuse()
    await eventually(async () => expect(await ready()).toMatchObject({ status: 200, redis: 'down', failing: [] }))
    await redis.resume()
    await eventually(async () => expect(await ready()).toMatchObject({ redis: 'up' }))
  })

  test('a call that needs Postgres returns 503 with Retry-After while it is away', async () => {
    await postgres.refuse()
    await eventually(async () => expect(await ready()).toMatchObject({ status: 503 }))
    const answers = await Promise.all([
      node.post('/api/login', { username: 'thandi', password: 'x' }),
      node.call('/api/me', { headers: { cookie: 'staff_session=none' } }),
    ])
    await postgres.resume()
    await eventually(async () => expect(await ready()).toMatchObject({ status: 200 }))
    const [login, me] = answers
    expect(login.status).toBe(503)
    expect(Number(login.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await login.json()).toMatchObject({ status: 503, type: 'urn:problem:unavailable' })
    expect(me.status).toBe(401)
  })
})

test('the leads are not available, rather than broken, before a worker has made their view', async () => {
  const headers = await signIn(node)
  for (const path of ['/api/leads', '/api/leads?limit=1']) {
    const response = await node.call(path, { headers })
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({
      type: 'urn:problem:unavailable',
      detail: 'Updating data, try again shortly',
    })
  }
})

describe('metrics', () => {
  const metricsFor = (forwarded?: string) =>
    node.call('/metrics', { headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded } })

  test.each([
    undefined,
    '127.0.0.1',
    '10.1.2.3',
    '192.168.0.9',
    '172.31.255.1',
    '::1',
    'fd00::1',
    '::ffff:10.0.0.1',
    '8.8.8.8, 10.0.0.1',
  ])('are for loopback and private addresses: %s', async (forwarded) => {
    const response = await metricsFor(forwarded)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
    expect(await response.text()).toMatch(/^http_request_duration_seconds_bucket\{/m)
  })

  test.each([
    '203.0.113.9',
    '172.32.0.1',
    '2001:db8::1',
    '10.0.0.1, 203.0.113.9',
    '127.0.0.1.elsewhere.example',
    'localhost',
    '',
  ])('are for no other caller: %j', async (forwarded) => {
    const response = await metricsFor(forwarded)
    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({ type: 'urn:problem:not-allowed' })
  })

  test('report the log’s position, and leave it out rather than report it late while Postgres is away', async () => {
    expect(await (await metricsFor()).text()).toMatch(/^log_head_position\{node="\w+"\} \d+$/m)
    await postgres.refuse()
    const text = await (await metricsFor()).text()
    await postgres.resume()
    expect(text).toMatch(/^http_request_duration_seconds_bucket\{/m)
    expect(text).not.toMatch(/^log_head_position\{/m)
    await eventually(async () => expect(await (await metricsFor()).text()).toMatch(/^log_head_position\{/m))
  })

  test('name routes, not callers’ paths', async () => {
    const id = randomUUID()
    for (const given of [id, 'secret-of-somebody']) await node.call(`/api/leads/${given}/history`)
    await node.call('/somebody@example.com')
    const text = await (await metricsFor()).text()
    expect(text).toContain('route="/api/leads/:id/history"')
    for (const given of [id, 'secret-of-somebody']) expect(text).not.toContain(given)
    expect(text).not.toContain('somebody@example.com')
  })
})

describe('every response names its node and its request, and forbids what pages do not need', () => {
  const expectHeaders = (headers: Headers) => {
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-node': expect.stringMatching(/^[0-9a-f]{8}$/),
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=()',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
    })
    expect(headers.has('strict-transport-security')).toBe(false) // this site uses http
  }
  const form = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } }

  test.each<[what: string, status: number, path: string, init?: RequestInit]>([
    ['a page', 200, '/'],
    ['a page of the staff', 200, '/admin-dashboard'],
    ['no page', 404, '/nothing'],
    ['a call', 200, '/healthz'],
    ['no call', 404, '/api/nothing'],
    ['a call without a session', 401, '/api/leads'],
    [
      'a body that is no JSON',
      400,
      '/api/login',
      { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' },
    ],
    ['a foreign origin', 403, '/api/logout', { method: 'POST', headers: { origin: 'https://evil.example' } }],
    [
      'a form',
      303,
      '/api/leads',
      { ...form, body: 'name=Ana&email=ana@example.com&phone=0825550199&leadSource=hero_form' },
    ],
  ])('%s: %i', async (_, status, path, init) => {
    const response = await node.call(path, init)
    expect(response.status).toBe(status)
    expectHeaders(response.headers)
  })

  test('a page that has not changed: 304', async () => {
    const etag = (await node.call('/')).headers.get('etag') ?? ''
    const response = await node.call('/', { headers: { 'if-none-match': etag } })
    expect(response.status).toBe(304)
    expectHeaders(response.headers)
  })

  test('a socket: 101', async () => {
    const socket = new WebSocket(`${node.url.replace('http', 'ws')}/ws`, { origin: node.url })
    const [{ headers }] = (await once(socket, 'upgrade')) as [IncomingMessage]
    socket.terminate()
    expectHeaders(new Headers(headers as Record<string, string>))
  })
})

describe('files of pages', () => {
  const SCRIPT = Buffer.from('export const version = "the one before"')

  let sql: Sql

  beforeAll(async () => {
    sql = connect(database.runtimeUrl, { max: 3, name: 'test' })
  })

  afterAll(async () => {
    await sql?.end()
  })

  /** The files of a version that has one script of its own. */
  const versionWith = (name: string): Assets =>
    new Map([
      [
        name,
        {
          type: 'text/javascript; charset=utf-8',
          etag: etagOf(SCRIPT),
          cacheControl: '',
          policy: undefined,
          bodies: { identity: SCRIPT, br: brotliCompressSync(SCRIPT) },
        },
      ],
    ])

  const failOn = {
    onError: (error: unknown) => {
      throw error
    },
  }
  const status = async (path: string) => (await node.call(path)).status

  test('a page of another version finds its script on any node, as it was served by its own', async () => {
    expect(await status('/assets/islands-before.js')).toBe(404)
    const before = await shareAssets(sql, versionWith('islands-before.js'), failOn)
    await eventually(async () => expect(await status('/assets/islands-before.js')).toBe(200))
    const answer = await node.call('/assets/islands-before.js', { headers: { 'accept-encoding': 'br' } })
    expect(await answer.text()).toBe(SCRIPT.toString())
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000, immutable',
      etag: etagOf(SCRIPT),
    })
    const cached = await node.call('/assets/islands-before.js', { headers: { 'if-none-match': etagOf(SCRIPT) } })
    expect(cached.status).toBe(304)
    // and the version before finds those of the newer one
    const [name = ''] = (await loadAssets()).keys()
    expect((await before.find(name))?.bodies.identity).toEqual((await loadAssets()).get(name)?.bodies.identity)
    before.stop()
  })

  test('files stay for a day after the last node of their version, and go then', async () => {
    const early = await shareAssets(sql, versionWith('early.js'), failOn)
    early.stop()
    const age = (name: string, hours: number) =>
      sql`update page_assets set served_at = now() - make_interval(hours => ${hours}) where name = ${name}`
    await age('early.js', 23)
    const next = await shareAssets(sql, versionWith('next.js'), failOn)
    next.stop()
    expect(await next.find('early.js')).toBeDefined()
    await age('early.js', 25)
    await age('next.js', 25)
    const again = await shareAssets(sql, versionWith('next.js'), failOn)
    again.stop()
    expect(await again.find('early.js')).toBeUndefined()
    expect(await again.find('next.js')).toBeDefined()
  })

  test('many nodes of a version start at once', async () => {
    const name = 'together.js'
    const all = await Promise.all(Array.from({ length: 20 }, () => shareAssets(sql, versionWith(name), failOn)))
    for (const each of all) each.stop()
    const [row] = await sql`select count(*)::integer as count from page_assets where name = ${name}`
    expect(row?.count).toBe(1)
  })

  test('names that are nowhere, strange ones too, are not found', async () => {
    const paths = [
      '/assets/',
      '/assets/none.js',
      '/assets/%00',
      '/assets/..%2f..%2fpackage.json',
      "/assets/'--",
      '/assets/%ff',
    ]
    expect(await Promise.all(paths.map(status))).toEqual(paths.map(() => 404))
  })
})
