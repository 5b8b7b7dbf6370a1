import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openPacedStream, readUpload, statedLength } from './transfer.ts'

/** A pace above that of the test's sender: 100 bytes per second, over a tenth of a second. */
const HASTY = { overMs: 100, minBytesPerS: 100, lookEveryMs: 20 }

/** A server whose responses the test chooses, and a request to it that has sent only its head. */
const openExchange = async (headers: Record<string, string>) => {
  const arrived = Promise.withResolvers<{ incoming: IncomingMessage; outgoing: ServerResponse }>()
  const server = createServer((incoming, outgoing) => arrived.resolve({ incoming, outgoing }))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = request({ port, host: '127.0.0.1', method: 'POST', headers })
  client.on('error', () => {}).flushHeaders()
  onTestFinished(async () => {
    client.destroy()
    server.closeAllConnections()
    server.close()
  })
  return { client, ...(await arrived.promise) }
}

test('a body arrives whole in any chunks', async () => {
  const { client, incoming } = await openExchange({ 'content-length': '10' })
  const read = readUpload(incoming, statedLength(incoming, 10))
  for (const part of ['01', '234567', '89']) {
    client.write(part)
    await delay(5)
  }
  client.end()
  expect((await read).toString()).toBe('0123456789')
})

test('a body that has arrived before it is read is whole too', async () => {
  const { client, incoming } = await openExchange({ 'content-length': '10' })
  client.end('0123456789')
  await once(client, 'finish')
  expect((await readUpload(incoming, 10)).toString()).toBe('0123456789')
})

test.each([
  ['in chunks', { 'transfer-encoding': 'chunked' }, 'length_required'],
  ['too long by one', { 'content-length': '11' }, 'body_too_large'],
  ['far too long', { 'content-length': '99999999999' }, 'body_too_large'],
])('a body that is sent %s is refused by its head', async (_, headers, code) => {
  const { incoming } = await openExchange(headers as Record<string, string>)
  expect(() => statedLength(incoming, 10)).toThrow(expect.objectContaining({ code }))
})

test('an interrupted body is refused, before and during reading', async () => {
  const { client, incoming } = await openExchange({ 'content-length': '10' })
  const read = readUpload(incoming, 10)
  client.write('012')
  client.destroy()
  await expect(read).rejects.toMatchObject({ code: 'malformed_body', message: 'The upload was interrupted' })
  await expect(readUpload(incoming, 10)).rejects.toMatchObject({ code: 'malformed_body' })
})

test.each([
  ['trickles', ''],
  ['trickles after most of it has come at once', 'x'.repeat(900)],
])('a body that %s is not waited for', async (_, begin) => {
  const { client, incoming } = await openExchange({ 'content-length': '1000' })
  client.write(begin)
  const trickle = setInterval(() => client.write('.'), 20)
  onTestFinished(() => clearInterval(trickle))
  await expect(readUpload(incoming, 1_000, HASTY)).rejects.toMatchObject({ message: expect.stringMatching(/too slow/) })
})

describe('a file on its way to its client', () => {
  const PACE = { overMs: 100, minBytesPerS: 1024, lookEveryMs: 10 }
  const CHUNK = Buffer.alloc(64 * 1024)

  /** An endless file on its way to a client, which has not read any of it yet. */
  const openFile = async (made: AsyncIterable<Buffer>) => {
    const { client, outgoing } = await openExchange({ 'content-length': '0' })
    client.end()
    const out = openPacedStream(PACE)
    const passed = pipeline(made, out, outgoing).catch(() => {})
    const [response]: IncomingMessage[] = await once(client, 'response')
    return { out, passed, response: response as IncomingMessage }
  }

  async function* endless(pauseMs = 0) {
    for (;;) {
      yield CHUNK
      await delay(pauseMs)
    }
  }

  test('is cut off if its client does not read, or hardly does', async () => {
    const { out, passed } = await openFile(endless())
    await passed
    expect(out.destroyed).toBe(true)
  })

  test('continues for a slow client, and for a slow producer', async () => {
    const { response } = await openFile(endless())
    let read = 0
    for await (const chunk of response) {
      read += chunk.length
      if (read > 200 * CHUNK.length) break
      if (read % CHUNK.length === 0) await delay(10)
    }
    expect(read).toBeGreaterThan(200 * CHUNK.length)
    const slow = await openFile(endless(500))
    let chunks = 0
    for await (const chunk of slow.response) {
      chunks += chunk.length / CHUNK.length
      if (chunks >= 2) break
    }
    expect(chunks).toBeGreaterThanOrEqual(2)
  })
})
