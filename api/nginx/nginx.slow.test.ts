import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { nginx, startNginx, type TestNginx } from '../../events/testing/nginx.ts'

/** More than nginx's own 1,024 connections allow; a socket takes two. */
const SOCKETS = 1_500

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

test.runIf(nginx !== undefined)(`nginx holds ${SOCKETS} sockets, where its default ends at about 500`, async () => {
  const node = await serveSockets(TAKES)
  const proxy = await startNginx(node.address)
  onTestFinished(proxy.stop)
  const open = () => openThrough(proxy)
  const sockets: Socket[] = []
  while (sockets.length < SOCKETS) sockets.push(...(await Promise.all(Array.from({ length: 100 }, open))))
  expect(node.held.size).toBe(SOCKETS)
  for (const socket of sockets) socket.destroy()
})
