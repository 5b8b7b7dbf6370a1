import { execFileSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { chmodSync, rmSync } from 'node:fs'
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { MAX_FILE_BYTES } from '../../events/chat/file.ts'
import { freePort } from '../../events/local/port.ts'
import { createTestDatabase, type TestDatabase, testRedisUrl } from '../../events/testing/database.ts'
import { makeTestFolder } from '../../events/testing/folders.ts'
import { nginx, startNginx, TEST_DOMAIN, type TestNginx } from '../../events/testing/nginx.ts'
import { eventually, startTestNode, type TestNode } from '../../events/testing/node.ts'
import { joinChat } from '../testing/socket-client.ts'

/** How often an address may ask for the email service's activation (api/admission/limits.ts). */
const ACTIVATIONS = 3
const FORGED = '198.51.100.66'
/** The number of concurrent requests of an address (node.conf). */
const REQUESTS_AT_ONCE = 256

type Answer = { status: number; headers: IncomingMessage['headers']; body: string }
type Asked = {
  body?: Buffer
  /** Whether only the head is sent. */
  isHead?: boolean
  port: number
  path: string
  method?: string
  headers?: Record<string, string | string[]>
  /** The loopback address that the client calls from. */
  from?: string
  isTls?: boolean
}

const ask = ({
  port,
  path,
  method = 'GET',
  headers = {},
  from = '127.0.0.1',
  isTls = false,
  body: sentBody,
  isHead = false,
}: Asked) =>
  new Promise<Answer>((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, method, headers, localAddress: from, rejectUnauthorized: false }
    const sent = (isTls ? httpsRequest : httpRequest)(options, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text
      })
      response.once('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body })
        if (isHead) sent.destroy()
      })
    })
    sent.once('error', reject)
    if (isHead) sent.flushHeaders()
    else sent.end(sentBody)
  })

/** Makes a self-signed certificate. */
const makeCertificate = () => {
  const folder = makeTestFolder()
  const files = ['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')]
  const options = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  execFileSync('openssl', ['req', '-x509', ...options, '-subj', '/CN=localhost', ...files], { stdio: 'pipe' })
  chmodSync(join(folder, 'privkey.pem'), 0o644)
  return folder
}

describe.runIf(nginx !== undefined)('behind nginx', () => {
  let database: TestDatabase
  let redisUrl: string
  let certificates: string
  /** Behind one proxy, and behind two; each is configured with the addresses of its proxies. */
  let one: TestNode
  let two: TestNode
  let inner: TestNginx
  let innerOfTwo: TestNginx
  let outer: TestNginx

  beforeAll(async () => {
    database = await createTestDatabase()
    redisUrl = await testRedisUrl()
    certificates = makeCertificate()
    const stores = { databaseUrl: database.url, redisUrl }
    const env = { TRUSTED_PROXIES: '127.0.0.1' }
    ;[one, two] = await Promise.all([
      startTestNode(stores, { ...env, TRUST_PROXY: '1' }),
      startTestNode(stores, { ...env, TRUST_PROXY: '2' }),
    ])
    const addressOf = ({ url }: TestNode) => new URL(url).host
    ;[inner, innerOfTwo] = await Promise.all([
      startNginx(addressOf(one), { certificates }),
      startNginx(addressOf(two), { proxies: 2 }),
    ])
    outer = await startNginx(`127.0.0.1:${innerOfTwo.port}`)
  })

  afterAll(async () => {
    await outer?.stop()
    await Promise.all([inner?.stop(), innerOfTwo?.stop()])
    await Promise.all([one?.stop(), two?.stop()])
    await database?.drop()
    rmSync(certificates, { recursive: true })
  })

  let clients = 10
  /** The address of a client that has sent no request yet. */
  const newClient = () => {
    clients += 1
    return `127.0.0.${clients}`
  }
  let forgeries = 0
  const forge = () => {
    forgeries += 1
    return `198.51.100.${forgeries}`
  }
  const forgedHeaders = (): Asked['headers'][] => [
    { 'x-forwarded-for': forge() },
    { 'X-Forwarded-For': `${forge()}, 127.0.0.1` },
    { 'x-forwarded-for': [forge(), forge()] },
    { 'x-real-ip': forge(), forwarded: `for=${forge()}` },
    { 'x-forwarded-for': `127.0.0.1, ${forge()}, 127.0.0.1, 127.0.0.1` },
    { 'x-forwarded-for': '' },
  ]

  const topologies: [name: string, way: () => Pick<Asked, 'port' | 'isTls'>][] = [
    ['one nginx', () => ({ port: inner.tlsPort ?? 0, isTls: true })],
    ['a host that ends TLS before it', () => ({ port: outer.port })],
  ]

  test.each(topologies)('a client counts as itself through %s, whatever it writes into its headers', async (_, way) => {
    const activate = (from: string, headers = {}) =>
      ask({ ...way(), path: '/api/email-activation', method: 'POST', from, headers })
    const [stranger, other] = [newClient(), newClient()]
    const statuses = []
    for (const headers of forgedHeaders()) statuses.push((await activate(stranger, headers)).status)
    expect(statuses).toEqual([...Array(ACTIVATIONS).fill(202), ...Array(statuses.length - ACTIVATIONS).fill(429)])
    // and no address can use up another one's limit
    expect((await activate(other)).status).toBe(202)
    expect((await activate(other, { 'x-forwarded-for': stranger })).status).toBe(202)
    expect((await activate(other)).status).toBe(202)
    expect((await activate(other, { 'x-forwarded-for': FORGED })).status).toBe(429)
  })

  test('clients that go around the outer proxy count as one, whatever address they claim', async () => {
    const statuses = []
    for (const headers of forgedHeaders()) {
      const { status } = await ask({
        port: innerOfTwo.port,
        path: '/api/email-activation',
        method: 'POST',
        from: newClient(),
        ...(headers && { headers }),
      })
      statuses.push(status)
    }
    expect(statuses.filter((status) => status === 202)).toHaveLength(ACTIVATIONS)
  })

  test('TLS ends at nginx with the certificate of the folder, and plain requests are redirected to it', async () => {
    const page = await ask({ port: inner.tlsPort ?? 0, path: '/', isTls: true })
    expect(page.status).toBe(200)
    expect(page.body).toContain('<html')
    const plain = await ask({ port: inner.port, path: '/contract/?plan=a', headers: { host: 'elsewhere.example' } })
    expect(plain.status).toBe(301)
    expect(plain.headers.location).toBe(`https://${TEST_DOMAIN}/contract/?plan=a`)
    const socket = new WebSocket(`wss://127.0.0.1:${inner.tlsPort}/ws`, { rejectUnauthorized: false })
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
    socket.terminate()
  })

  test('TLS 1.2 is spoken with forward secrecy and authenticated encryption alone', async () => {
    const speak = (ciphers: string) =>
      new Promise<string>((resolve, reject) => {
        const options = { port: inner.tlsPort, host: '127.0.0.1', rejectUnauthorized: false, ciphers }
        const socket = connectTls({ ...options, maxVersion: 'TLSv1.2' }, () => {
          resolve(socket.getCipher().name)
          socket.destroy()
        }).once('error', reject)
      })
    expect(await speak('ECDHE-ECDSA-CHACHA20-POLY1305')).toBe('ECDHE-ECDSA-CHACHA20-POLY1305')
    for (const weak of ['ECDHE-ECDSA-AES128-SHA', 'ECDHE-ECDSA-AES256-SHA384']) {
      await expect(speak(weak)).rejects.toThrow(/handshake failure/)
    }
  })

  test('nginx’s own responses forbid what pages do not need, and a node’s responses are unchanged', async () => {
    const protective = {
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'referrer-policy': 'strict-origin-when-cross-origin',
    }
    const tls = { port: inner.tlsPort ?? 0, isTls: true }
    const own = [
      await ask({ ...tls, path: '/metrics' }),
      await ask({ ...tls, path: '/ws' }),
      await ask({ ...tls, path: '/api/leads', method: 'POST', body: Buffer.alloc(80_000) }),
      await ask({ port: inner.port, path: '/' }),
    ]
    expect(own.map(({ status }) => status)).toEqual([404, 400, 413, 301])
    for (const { headers } of own) {
      expect(headers).toMatchObject(protective)
      expect(headers['content-security-policy']).toContain("default-src 'none'")
    }
    expect(own.map(({ headers }) => headers['strict-transport-security'])).toEqual([
      ...Array(3).fill('max-age=31536000'),
      undefined,
    ])
    const page = await ask({ ...tls, path: '/' })
    expect(page.headers).toMatchObject(protective)
    expect(page.headers['content-security-policy']).toContain("default-src 'self'")
    expect(page.headers['cache-control']).toBe('no-cache')
  })

  test.each(topologies)('a chat file of 5 MiB passes %s, and one byte more only reaches the node', async (_, way) => {
    const { client, sessionId, resumeToken } = await joinChat(way === topologies[0]?.[1] ? one : two)
    onTestFinished(() => client.close())
    const headers = { authorization: `Bearer ${resumeToken}` }
    const file = Buffer.alloc(MAX_FILE_BYTES + 1)
    file.write('%PDF-1.7')
    const path = `/api/chat-files/${sessionId}`
    const stored = await ask({ ...way(), path, method: 'POST', headers, body: file.subarray(0, MAX_FILE_BYTES) })
    expect(stored.status).toBe(201)
    const fetched = await ask({
      ...way(),
      path: `${path}/${JSON.parse(stored.body).id}`,
      headers: { authorization: `Bearer ${resumeToken}` },
    })
    expect([fetched.status, fetched.headers['content-length']]).toEqual([200, String(MAX_FILE_BYTES)])
    // only the heads: the body would meet a closed connection
    const refused = (target: string) =>
      ask({
        ...way(),
        path: target,
        method: 'POST',
        headers: { ...headers, 'content-length': String(file.length) },
        isHead: true,
      })
    expect(await refused(path)).toMatchObject({ status: 413, body: expect.stringContaining('urn:problem') })
    // a list of leads may be as large or larger, and the node checks its sender first
    for (const list of ['/api/imports', `/api/leads/${randomUUID()}/erase`])
      expect(await refused(list)).toMatchObject({ status: 401, body: expect.stringContaining('urn:problem') })
    // on other paths no body of that size passes nginx
    expect(await refused('/api/leads')).toMatchObject({ status: 413, body: expect.stringContaining('nginx') })
  })

  test.each<[string, () => { port: number; from: () => string; headers: (client: string) => Asked['headers'] }]>([
    [
      'by its own address',
      () => ({ port: outer.port, from: newClient, headers: () => ({ 'x-forwarded-for': forge() }) }),
    ],
    [
      'by the one that the proxy before it saw',
      () => ({
        port: innerOfTwo.port,
        from: () => '127.0.0.1',
        headers: (client) => ({ 'x-forwarded-for': `${forge()}, ${client}` }),
      }),
    ],
  ])('bodies that never end fill the room of one client alone, told %s', async (_, way) => {
    const { port, from, headers } = way()
    const holder = from()
    const told = `203.0.113.${clients}`
    const sockets: Socket[] = []
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy()
    })
    const page = (address: string, client: string) =>
      ask({ port, path: '/', from: address, headers: headers(client) ?? {} })
    const holdOne = () =>
      new Promise<void>((resolve, reject) => {
        const socket = connect({ port, host: '127.0.0.1', localAddress: holder }, () => {
          const [name, value] = Object.entries(headers(told) ?? {})[0] ?? []
          socket.write(
            `POST /api/leads HTTP/1.1\r\nHost: x\r\n${name}: ${value}\r\nContent-Length: 60000\r\n\r\nname`,
            () => resolve(),
          )
        })
        socket.on('error', reject)
        sockets.push(socket)
      })
    for (let held = 0; held < REQUESTS_AT_ONCE; held += 64) await Promise.all(Array.from({ length: 64 }, holdOne))
    await eventually(async () => {
      // one more each time: a page in progress may have taken a body's slot
      await holdOne()
      expect(await page(holder, told)).toMatchObject({ status: 503, headers: { 'retry-after': '5' } })
    })
    expect((await page(from(), '203.0.113.250')).status).toBe(200)
    for (const socket of sockets) socket.destroy()
    await eventually(async () => expect((await page(holder, told)).status).toBe(200))
  })

  test('a client that comes through fewer proxies than configured is counted, and causes one warning', async () => {
    await ask({ port: innerOfTwo.port, path: '/api/email-activation', method: 'POST', from: newClient() })
    await ask({ port: innerOfTwo.port, path: '/api/email-activation', method: 'POST', from: newClient() })
    const told = await (await two.call('/metrics')).text()
    expect(Number(/^proxy_flaws_total\{.*flaw="broken".*\} (\d+)$/m.exec(told)?.[1])).toBeGreaterThan(1)
    await eventually(() => expect(two.printed().match(/fewer proxies than TRUST_PROXY/g)).toHaveLength(1))
  })

  test('a request that is no handshake takes no socket’s slot', async () => {
    const upgrade = { upgrade: 'websocket', connection: 'upgrade' }
    const strays: Record<string, string>[] = [
      {},
      { ...upgrade, upgrade: 'h2c' },
      { ...upgrade, 'content-length': '1000' },
    ]
    for (const headers of strays) {
      expect((await ask({ port: outer.port, path: '/ws', headers, isHead: true })).status).toBe(400)
    }
  })

  test('nginx does not buffer a chat file: the node gets it before it has arrived whole', async () => {
    const { client, sessionId, resumeToken } = await joinChat(one)
    onTestFinished(() => client.close())
    const headers = { authorization: `Bearer ${resumeToken}`, 'transfer-encoding': 'chunked' }
    const sent = httpRequest({
      host: '127.0.0.1',
      port: outer.port,
      path: `/api/chat-files/${sessionId}`,
      method: 'POST',
      headers,
    })
    onTestFinished(() => {
      sent.destroy()
    })
    sent.on('error', () => {}).write('%PDF-1.7 the beginning')
    const response = await new Promise<IncomingMessage>((resolve) => sent.once('response', resolve))
    expect(response.statusCode).toBe(411)
  })

  test.each(['/metrics', '//metrics', '/%6detrics', '/x/../metrics', '/metrics?x'])(
    'metrics cannot be read through nginx: %s',
    async (path) => {
      expect((await ask({ port: outer.port, path, headers: { 'x-forwarded-for': '127.0.0.1' } })).status).not.toBe(200)
    },
  )

  test('nothing that a client types is in its logs, while the site is there and while it is away', async () => {
    const marker = `zq${randomBytes(6).toString('hex')}`
    const away = await startNginx('127.0.0.1:9')
    const headers = {
      'user-agent': marker,
      referer: `https://${marker}.example/${marker}`,
      'x-request-id': marker,
      'x-forwarded-for': marker,
      cookie: marker,
      host: `${marker}.example`,
    }
    const typed = [`/api/leads?q=${marker}`, `/${marker}`, `/${marker}?${marker}`, `/ws?token=${marker}`]
    const answers: Answer[] = []
    for (const { port } of [outer, away]) {
      for (const path of typed) answers.push(await ask({ port, path, headers, from: newClient() }))
      await ask({ port, path: '/', method: marker.toUpperCase() })
      await sendRaw(port, `GET /${marker} HTTP/1.1\r\nHost: a b ${marker}\r\n\r\n`)
      await sendRaw(port, `${marker} ${marker}\r\n\r\n`)
      await sendRaw(port, `POST /api/leads HTTP/1.1\r\nHost: x\r\nContent-Length: 900000\r\n\r\n${marker}`)
      await sendRaw(port, `GET / HTTP/1.1\r\nHost: x\r\nX: ${marker.repeat(3_000)}\r\n\r\n`)
    }
    const printed = () => [outer, inner, innerOfTwo, away].map((each) => each.printed()).join('')
    const ids = answers.flatMap((each) => each.headers['x-request-id'] ?? [])
    expect(ids.length).toBeGreaterThan(0)
    await eventually(() => {
      for (const id of ids) expect(printed()).toContain(`"requestId":"${id}"`)
      expect(away.printed()).toContain('"nodeStatus":"502"')
    })
    expect(printed().toLowerCase()).not.toContain(marker)
    expect(printed()).not.toMatch(/127\.0\.0\.(?!1\b)\d+/)
    for (const line of away
      .printed()
      .split('\n')
      .filter((each) => each.startsWith('{')))
      JSON.parse(line)
    await away.stop()
  })

  test('without a node a visitor is asked to come back and sees no gateway error', async () => {
    const away = await startNginx('127.0.0.1:9')
    for (const path of ['/', '/api/leads', '/ws']) {
      const headers: Record<string, string> = path === '/ws' ? { upgrade: 'websocket', connection: 'upgrade' } : {}
      const answer = await ask({ port: away.port, path, headers })
      expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '5', 'cache-control': 'no-store' } })
      expect(answer.headers['x-content-type-options']).toBe('nosniff')
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
      expect(answer.body).toMatch(/^<!doctype html>.*The site is back in a moment/)
    }
    await away.stop()
  })
})

const sendRaw = (port: number, text: string) =>
  new Promise<string>((resolve, reject) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    socket.setEncoding('utf8').on('data', (part: string) => {
      answer += part
      socket.end()
    })
    socket.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' ? resolve(answer) : reject(error),
    )
    socket.once('close', () => resolve(answer))
  })

/** Serves sockets like a bare node. Returns the sockets that came, and its address. */
const serveSockets = async (answer: string) => {
  const held = new Set<Socket>()
  const server = createServer()
  server.on('upgrade', (_request, socket) => {
    held.add(socket as Socket)
    socket.on('error', () => {})
    socket.write(answer)
  })
  onTestFinished(async () => {
    for (const socket of held) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { held, address: `127.0.0.1:${(server.address() as AddressInfo).port}` }
}
const TAKES = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'
const LETS_NONE_IN = 'HTTP/1.1 429 Too Many Requests\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n'
const REFUSES = 'HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n'

/** Opens a socket through nginx; fails if no node accepts it. */
const openThrough = ({ port }: TestNginx) =>
  new Promise<Socket>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write('GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'),
    )
    socket.once('data', (data) => (String(data).includes(' 101 ') ? resolve(socket) : reject(new Error(String(data)))))
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('closed')))
  })

test.runIf(nginx !== undefined)(
  'a socket that reaches a stopping node goes to the next one, in one attempt',
  async () => {
    const [stopping, staying] = [await serveSockets(REFUSES), await serveSockets(TAKES)]
    const proxy = await startNginx([stopping.address, `127.0.0.1:${await freePort()}`, staying.address])
    onTestFinished(proxy.stop)
    const sockets = await Promise.all(Array.from({ length: 30 }, () => openThrough(proxy)))
    for (const socket of sockets) socket.destroy()
    expect(staying.held.size).toBe(30)
    expect(stopping.held.size).toBeGreaterThan(0)
  },
)

test.runIf(nginx !== undefined)('a socket that a node refuses because of load goes to no other node', async () => {
  const nodes = [await serveSockets(LETS_NONE_IN), await serveSockets(LETS_NONE_IN)]
  const proxy = await startNginx(nodes.map(({ address }) => address))
  onTestFinished(proxy.stop)
  const tries = await Promise.allSettled(Array.from({ length: 10 }, () => openThrough(proxy)))
  for (const each of tries) expect(each).toMatchObject({ reason: { message: expect.stringContaining(' 429 ') } })
  expect(nodes.reduce((sum, { held }) => sum + held.size, 0)).toBe(10)
})
