import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { signIn } from '../events/testing/node.ts'
import { startProduct } from '../events/testing/product.ts'

/** Far more than a refusal takes on a machine under load. */
const AT_ONCE_MS = 5_000
const EXPORTS = 6

const { node } = await startProduct({ worker: 'has run' })
const staff = await signIn(node)

/** Sends a request as it stands, and answers all that comes back until the connection is closed. */
const exchange = async (path: string, upgrade: string, headers = '') => {
  const { port, host } = new URL(node.url)
  const socket = connect({ port: Number(port), host: '127.0.0.1' })
  let answer = ''
  socket.on('data', (data) => {
    answer += data
  })
  const closed = new Promise((resolve) => socket.once('close', () => resolve(true)))
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: ${upgrade}\r\n${headers}\r\n`)
  const isClosed = await Promise.race([closed, delay(AT_ONCE_MS, false)])
  socket.destroy()
  return { answer, isClosed }
}

test.each([
  ['/', 'h2c'],
  ['/ws', 'h2c'],
  ['/api/leads', 'TLS/1.0'],
  ['/api/leads', 'websocket'],
])('at %s an Upgrade to %s is refused at once', async (path, upgrade) => {
  const { answer, isClosed } = await exchange(path, upgrade)
  expect(isClosed).toBe(true)
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
})

test('HEAD of the export, or its Upgrade, starts nothing: exports go on', async () => {
  for (let round = 0; round < EXPORTS; round += 1) {
    const response = await node.call('/api/leads/export?format=csv', { method: 'HEAD', headers: staff })
    expect(response.status).toBe(200)
    expect(await response.text()).toBe('')
    await exchange('/api/leads/export', 'websocket', `Cookie: ${staff.cookie}\r\n`)
  }
  const response = await node.call('/api/leads/export?format=csv', { headers: staff })
  expect(response.status).toBe(200)
  expect(await response.text()).toContain('"Date","Time","Name"')
})

test('HEAD of the stream ends', async () => {
  const response = await node.call('/api/leads/stream', { method: 'HEAD', headers: staff })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  expect(await response.text()).toBe('')
})
