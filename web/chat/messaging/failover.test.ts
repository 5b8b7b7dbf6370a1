import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { openLines } from '../../testing/chat/lines.ts'

const NODES_WAIT_MS = 20_000

// `openLines` replaces them by those of a page; later files of the same worker process get their own back
beforeAll(() => {
  for (const name of ['addEventListener', 'document', 'WebSocket']) vi.stubGlobal(name, undefined)
})

afterAll(() => {
  vi.unstubAllGlobals()
})

const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

const listening = async (answer?: RequestListener) => {
  const server = createServer(answer).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return server
}

/** A node that is about to stop: it responds, but accepts no sockets. */
const stoppingNode = async () => urlOf(await listening((_, response) => response.writeHead(503).end()))

/** A node that has stopped: no process listens at its address. */
const stoppedNode = async () => {
  const server = await listening()
  const url = urlOf(server)
  await new Promise((resolve) => server.close(resolve))
  return url
}

/** A node that accepts sockets, and asks each of them to reconnect at once. */
const stayingNode = async () => {
  const sockets: WebSocket[] = []
  const server = await listening()
  const taking = new WebSocketServer({ server }).on('connection', (socket) => sockets.push(socket))
  onTestFinished(() => {
    for (const socket of sockets) socket.terminate()
    taking.close()
  })
  return { url: urlOf(server), sockets }
}

test('a page makes one attempt to connect, however many nodes before the accepting one are about to stop', async () => {
  const [stopping, stopped, staying] = [await stoppingNode(), await stoppedNode(), await stayingNode()]
  const urls = [stopping, stopped, staying.url]
  const { record, connect, areAllAt } = openLines(() => urls)
  const lines = urls.map((url) =>
    connect({ headers: {}, pickUrl: () => url, onOpen: () => {}, onFrame: () => {}, onClose: () => {} }),
  )
  onTestFinished(() => {
    for (const line of lines) line.close()
  })
  await vi.waitFor(() => expect(areAllAt([staying.url])).toBe(true), NODES_WAIT_MS)
  expect(record.tries).toHaveLength(lines.length)
  expect(staying.sockets).toHaveLength(lines.length)

  for (const socket of staying.sockets.slice()) {
    socket.send(JSON.stringify({ type: 'reconnect', afterMs: 0 }))
    socket.close(1012)
  }
  await vi.waitFor(() => expect(record.opened).toHaveLength(2 * lines.length), NODES_WAIT_MS)
  expect(record.tries).toHaveLength(2 * lines.length)
  expect(record.closed.map(({ code }) => code)).toEqual([1012, 1012, 1012])
})
