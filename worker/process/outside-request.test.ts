import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { postOutside, readRetryAfter } from './outside-request.ts'

const TIMEOUT_MS = 300

let answer = ''
const sockets = new Set<Socket>()
const server = createServer((socket) => {
  sockets.add(socket)
  socket.on('error', () => {})
  socket.once('data', () => {
    if (answer === 'close') socket.destroy()
    else if (answer !== '') socket.write(answer)
  })
})
let origin = ''

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  server.close()
  await once(server, 'close')
})

test.each([
  ['120', 120_000],
  ['Mon, 23 Nov 2026 08:00:30 GMT', 30_000],
  ['Mon, 23 Nov 2026 07:00:00 GMT', undefined],
  ['soon', undefined],
  [undefined, undefined],
])('a Retry-After of %s is read', (header, expected) =>
  expect(readRetryAfter(header, Date.parse('2026-11-23T08:00:00Z'))).toBe(expected),
)

const post = (reply: string) => {
  answer = reply
  return postOutside(
    origin,
    { headers: {}, body: '{}' },
    { testOrigins: [origin], timeoutMs: TIMEOUT_MS, maxBytes: 10 },
  )
}

test('a request returns the status and the beginning of the response', async () => {
  const { status, beginning } = await post('HTTP/1.1 503 No\r\ncontent-length: 20\r\n\r\n01234567890123456789')
  expect([status, beginning.toString()]).toEqual([503, '0123456789'])
})

test.each([
  ['asks for another protocol', 'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'],
  ['says that it goes on, and no more', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ['says nothing', ''],
  ['closes the connection', 'close'],
  ['speaks no HTTP', 'hello\r\n\r\n'],
])(
  'a request to a server that %s fails within its time',
  async (_, reply) => {
    await expect(post(reply)).rejects.toThrow()
  },
  5_000,
)
