import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { createConnection } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createTestDatabase, testRedisUrl } from '../../events/testing/database.ts'
import { type FaultProxy, openFaultProxy } from '../../events/testing/fault-proxy.ts'
import { eventually, signIn, startTestNode, type TestNode } from '../../events/testing/node.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const INFO = 30
const LEAD = { name: 'Ana Botha', email: 'ana@example.com', phone: '082 555 0142', leadSource: 'hero_form' }
const UNKNOWN = '00000000-0000-4000-8000-000000000000'

type Line = { level: number; msg: string; requestId?: string; socketId?: string } & Record<string, unknown>

let database: Awaited<ReturnType<typeof createTestDatabase>>
let postgres: FaultProxy
let node: TestNode
let staff: { cookie: string }

beforeAll(async () => {
  database = await createTestDatabase()
  postgres = await openFaultProxy(database.url)
  node = await startTestNode({ databaseUrl: postgres.url, redisUrl: await testRedisUrl() }, { LOG_LEVEL: 'debug' })
  staff = await signIn(node)
})

afterAll(async () => {
  await node.stop()
  await postgres.close()
  await database.drop()
})

const lines = (): Line[] =>
  node
    .printed()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .flatMap((line) => {
      try {
        return [JSON.parse(line)]
      } catch {
        return [] // the line is not complete yet
      }
    })

const idOf = (response: Response) => response.headers.get('x-request-id') ?? ''
const linesOf = (id: string) => lines().filter(({ requestId }) => requestId === id)
/** Lines are written a moment after the response. */
const linesWith = (id: string, messages: string[]) =>
  eventually(() => {
    const found = linesOf(id)
    expect(found.map(({ msg }) => msg).sort()).toEqual(messages.toSorted())
    return found
  })

const connect = async (path: string, headers: Record<string, string>) => {
  const socket = new WebSocket(node.url.replace('http', 'ws') + path, { headers })
  socket.on('error', () => {})
  const response: IncomingMessage = await Promise.race([
    once(socket, 'upgrade').then(([answer]) => answer),
    once(socket, 'unexpected-response').then(([, answer]) => answer),
  ])
  return { socket, status: response.statusCode, id: String(response.headers['x-request-id']) }
}

const form = new URLSearchParams({ ...LEAD, email: 'no address' })

describe('X-Request-Id', () => {
  const calls: [string, number, () => Promise<Response>][] = [
    ['a success', 201, () => node.post('/api/leads', LEAD)],
    ['a list', 200, () => node.call('/api/staff', { headers: staff })],
    ['a refused body', 422, () => node.post('/api/leads', {})],
    [
      'a refused form',
      422,
      () => node.call('/api/leads', { method: 'POST', body: form, headers: { accept: 'text/html' } }),
    ],
    ['a body that is too large', 413, () => node.post('/api/leads', { message: 'x'.repeat(100_000) })],
    ['nobody who is signed in', 401, () => node.call('/api/leads')],
    [
      'a foreign origin',
      403,
      () => node.call('/api/leads', { method: 'POST', headers: { origin: 'https://elsewhere.example' } }),
    ],
    ['an unknown lead', 404, () => node.call(`/api/leads/${UNKNOWN}`, { headers: staff })],
    ['an unknown call', 404, () => node.call('/api/nothing')],
    ['a page', 200, () => node.call('/')],
    ['a page without its body', 200, () => node.call('/', { method: 'HEAD' })],
    ['an unknown page', 404, () => node.call('/nothing')],
    ['a path that is posted to', 404, () => node.post('/nothing', {})],
    ['a probe', 200, () => node.call('/healthz')],
  ]

  test.each(calls)('is on the response to %s (%i)', async (_, status, call) => {
    const response = await call()
    expect(response.status).toBe(status)
    expect(idOf(response)).toMatch(UUID)
  })

  test('is on an accepted and on a refused upgrade', async () => {
    const accepted = await connect('/ws', { origin: node.url })
    const refused = await connect('/ws', { origin: 'https://elsewhere.example' })
    expect([accepted.status, refused.status]).toEqual([101, 403])
    for (const { id, socket } of [accepted, refused]) {
      expect(id).toMatch(UUID)
      socket.terminate()
    }
  })

  test('is another one for each request', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, async () => idOf(await node.call('/healthz'))))
    expect(new Set(ids).size).toBe(20)
  })

  test('is never the one that the client sends', async () => {
    const sent = 'Nomvula at 12 Long Street'
    const response = await node.post('/api/leads', LEAD, { 'x-request-id': sent })
    const again = await node.call('/api/nothing', { headers: { 'x-request-id': UNKNOWN } })
    for (const answer of [response, again]) expect(idOf(answer)).toMatch(UUID)
    expect(idOf(again)).not.toBe(UNKNOWN)
    await linesWith(idOf(response), ['request'])
    expect(node.printed()).not.toContain('Nomvula')
  })
})

describe('a request writes', () => {
  test('one line with its method, route, status and duration', async () => {
    const response = await node.call(`/api/leads/${UNKNOWN}/history?q=somebody@example.com`, { headers: staff })
    const [line] = await linesWith(idOf(response), ['request'])
    expect(line).toMatchObject({ level: INFO, method: 'GET', route: '/api/leads/:id/history', status: 404 })
    expect(line?.ms).toBeGreaterThanOrEqual(0)
    expect(JSON.stringify(line)).not.toMatch(/somebody|00000000-0000/)
  })

  test('no error if its upload breaks off', async () => {
    const isTold = ({ msg, status }: Line) => msg === 'request' && status === 400
    const before = lines().filter(isTold).length
    const { host, port } = new URL(node.url)
    const socket = createConnection(Number(port), '127.0.0.1')
    await once(socket, 'connect')
    const head = [`POST /api/leads HTTP/1.1`, `Host: ${host}`, `Origin: ${node.url}`, 'Content-Type: application/json']
    socket.end(`${[...head, 'Content-Length: 1000'].join('\r\n')}\r\n\r\n{"name":`)
    await eventually(() => expect(lines().filter(isTold)).toHaveLength(before + 1))
    expect(lines().filter(({ status }) => status === 503)).toEqual([])
  })

  test.each(['/healthz', '/readyz', '/metrics', '/', '/nothing'])('none at info for %s', async (path) => {
    const [line] = await linesWith(idOf(await node.call(path)), ['request'])
    expect(line?.level).toBeLessThan(INFO)
  })

  test('all of its lines with one id, those about a failure too', async () => {
    await postgres.refuse()
    const response = await node.post('/api/login', { username: 'Nomvula', password: 'Nomvula Khumalo' })
    await postgres.resume()
    expect(response.status).toBe(503)
    const found = await linesWith(idOf(response), ['request', 'request failed'])
    expect(found.find(({ msg }) => msg === 'request failed')).toMatchObject({
      route: '/api/login',
      err: { message: expect.any(String), stack: expect.any(String) },
    })
    expect(node.printed()).not.toContain('Nomvula')
    await eventually(async () => expect((await node.call('/readyz')).status).toBe(200))
  })

  test('its own line, among a hundred at the same time', async () => {
    const kinds: [string, number, () => Promise<Response>][] = [
      ['/api/leads', 201, () => node.post('/api/leads', LEAD)],
      ['/api/leads/:id', 404, () => node.call(`/api/leads/${UNKNOWN}`, { headers: staff })],
      ['/api/me', 200, () => node.call('/api/me', { headers: staff })],
      ['/api/settings', 401, () => node.call('/api/settings')],
    ]
    const answers = await Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        const [route, status, call] = kinds[index % kinds.length] as (typeof kinds)[number]
        const response = await call()
        expect(response.status).toBe(status)
        return { id: idOf(response), route, status }
      }),
    )
    expect(new Set(answers.map(({ id }) => id)).size).toBe(100)
    for (const { id, route, status } of answers) {
      expect(await linesWith(id, ['request'])).toMatchObject([{ route, status }])
    }
  })
})

describe('a socket', () => {
  const framesOf = (id: string, count: number) =>
    eventually(() => {
      const found = lines().filter(({ msg, socketId }) => msg === 'chat frame' && socketId === id)
      expect(found).toHaveLength(count)
      return found
    })

  test('has its id in the lines of each frame, and each frame one of its own', async () => {
    const { socket, id } = await connect('/ws', { origin: node.url, ...staff })
    for (const type of ['ping', 'watch', 'ping']) socket.send(JSON.stringify({ type, sessionId: null }))
    const found = await framesOf(id, 3)
    expect(found.map(({ frame }) => frame)).toEqual(['ping', 'watch', 'ping'])
    const ids = found.map(({ requestId }) => requestId)
    expect(new Set([id, ...ids]).size).toBe(4)
    for (const each of ids) expect(each).toMatch(UUID)
    socket.terminate()
  })

  test('writes the lines of a failed frame under one id', async () => {
    const { socket, id } = await connect('/ws', { origin: node.url })
    await postgres.refuse()
    socket.send(JSON.stringify({ type: 'join_chat', visitorName: 'Nomvula', visitorEmail: '', pageUrl: '/' }))
    const failed = await eventually(() => {
      const found = lines().find(({ msg, socketId }) => msg === 'chat frame failed' && socketId === id)
      expect(found).toBeDefined()
      return found
    })
    await postgres.resume()
    const [frame] = await framesOf(id, 1)
    expect(failed?.requestId).toBe(frame?.requestId)
    expect(node.printed()).not.toContain('Nomvula')
    socket.terminate()
  })
})
