import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { ServerFrame } from '../../../events/chat/sent-frames.ts'
import { createSocketServer } from '../sockets.ts'
import { openChatSocket } from './chat-socket.ts'

const toClose: (() => void)[] = []

afterEach(() => {
  for (const close of toClose.splice(0)) close()
})

/** A socket of a node with its client at the other end. */
const openPair = async () => {
  const server = createServer()
  const sockets = createSocketServer()
  const opened = Promise.withResolvers<ReturnType<typeof openChatSocket>>()
  server.on('upgrade', (request, connection, head) => {
    sockets.handleUpgrade(request, connection, head, (raw) => {
      const about = { id: 'test', staff: undefined, address: '127.0.0.1', userAgent: null }
      opened.resolve(openChatSocket(raw, connection, about))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const received: ServerFrame[] = []
  client.on('message', (data) => received.push(JSON.parse(String(data))))
  toClose.push(
    () => client.terminate(),
    () => server.close(),
  )
  return { socket: await opened.promise, client, received }
}

const message = (sequence: number): ServerFrame => ({
  type: 'new_message',
  id: 'id',
  sessionId: 'session',
  sequence,
  senderType: 'visitor',
  senderName: 'Ana',
  message: 'x'.repeat(4_000),
  timestamp: '2026-01-01T00:00:00.000Z',
})

test('frames sent in one turn arrive in their order, as many as may be held back and of the longest kind', async () => {
  const { socket, client, received } = await openPair()
  socket.pause()
  const sequences = Array.from({ length: 256 }, (_, index) => index + 1)
  for (const sequence of sequences) socket.push(message(sequence))
  socket.flush(() => true)
  await vi.waitFor(() => expect(received).toHaveLength(256), { timeout: 30_000, interval: 5 })
  expect(received.map((frame) => frame.type === 'new_message' && frame.sequence)).toEqual(sequences)
  expect(client.readyState).toBe(WebSocket.OPEN)
})

test('frames arrive whole at each length at which their header grows', async () => {
  const { socket, received } = await openPair()
  const empty = JSON.stringify({ type: 'error', code: 'bad_frame', message: '' }).length
  const messages = [125, 126, 65_535, 65_536].map((bytes) => `é${'x'.repeat(bytes - empty - 2)}`)
  for (const text of messages) socket.send({ type: 'error', code: 'bad_frame', message: text })
  await vi.waitFor(() => expect(received).toHaveLength(messages.length))
  expect(received.map((frame) => frame.type === 'error' && frame.message)).toEqual(messages)
})

test('a response of any size stays behind the frames that were sent before it', async () => {
  const { socket, received } = await openPair()
  socket.send(message(1))
  const whole = socket.sendWhole({ type: 'chat_history', sessionId: 'session', messages: [] })
  socket.send(message(2))
  expect(await whole).toBe(true)
  await vi.waitFor(() =>
    expect(received.map(({ type }) => type)).toEqual(['new_message', 'chat_history', 'new_message']),
  )
})
