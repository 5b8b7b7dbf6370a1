import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { beforeEach, expect, test } from 'vitest'
import { eventually, signIn, type TestNode } from '../../events/testing/node.ts'
import { startProduct } from '../../events/testing/product.ts'
import { resume } from '../testing/chat.ts'
import { joinChat, joinStaff, openTestClient, say, type TestClient } from '../testing/socket-client.ts'

const MAX_STOP_MS = 10_000

const { node: staying, startNode } = await startProduct()
let leaving: TestNode

beforeEach(async () => {
  leaving = await startNode()
})

/** Asks a node to stop; it must not read the log once Postgres is gone. Returns its status and the time it took. */
const stop = async (node: TestNode) => {
  const start = performance.now()
  node.kill('SIGTERM')
  const { status } = await node.ended
  expect(node.printed()).not.toContain('could not read the log')
  return { status, ms: performance.now() - start }
}

/** Begins a request on its own connection and finishes it on demand; returns the response. */
const askInHalves = (node: TestNode, path: string, headers: Record<string, string> = {}) => {
  const sent = connect(Number(new URL(node.url).port), '127.0.0.1').setEncoding('utf8')
  const lines = [`GET ${path} HTTP/1.1`, 'Host: node', ...Object.entries(headers).map((pair) => pair.join(': '))]
  sent.write(lines.join('\r\n'))
  let answer = ''
  sent.on('data', (text) => {
    answer += text
  })
  sent.on('error', () => {})
  const ended = once(sent, 'close')
  return async () => {
    sent.write('\r\n\r\n')
    await ended
    return answer
  }
}

test('a node that stops accepts no new clients and sends its clients elsewhere, where they resume without loss', async () => {
  const admin = await joinStaff(staying, await signIn(staying))
  const { client, sessionId, resumeToken } = await joinChat(leaving)
  const writer = await joinChat(leaving, 'Writer')
  await say(client, sessionId, 'one')
  // a request in progress keeps the node from stopping before the test has checked it
  const slow = request(`${leaving.url}/api/leads`, { method: 'POST', headers: { 'content-type': 'application/json' } })
  slow.on('error', () => {})
  slow.write('{')
  const finishReadyz = askInHalves(leaving, '/readyz')
  const finishUpgrade = askInHalves(leaving, '/ws', {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
  })
  await eventually(async () => expect((await leaving.call('/readyz')).status).toBe(200)) // by now all of the request has arrived
  const texts = Array.from({ length: 200 }, (_, index) => `message ${index}`)
  const sendAll = ({ send }: TestClient) => {
    for (const text of texts)
      send({ type: 'send_message', sessionId: writer.sessionId, message: text, clientMessageId: text })
  }
  sendAll(writer.client)
  await writer.client.take('message_accepted')

  const stopping = stop(leaving)
  const notice = await client.take('reconnect')
  expect(notice.afterMs).toBeGreaterThanOrEqual(0)
  expect(notice.afterMs).toBeLessThanOrEqual(3_000)
  expect(await client.closed).toBe(1012)
  await say(admin, sessionId, 'two, while nobody is there')
  const readyz = await finishReadyz()
  expect(readyz).toMatch(/^HTTP\/1.1 503/)
  expect(readyz).toContain('"failing":["draining"]')
  expect(await finishUpgrade()).toMatch(/^HTTP\/1.1 503/)
  slow.end('}')
  expect(await stopping).toMatchObject({ status: 0 })

  const back = await resume(staying, { sessionId, resumeToken, afterSequence: 1 })
  const { messages } = await back.take('chat_history')
  expect(messages.map(({ sequence }) => sequence)).toEqual([2])
  await say(admin, sessionId, 'three')
  expect(await back.take('new_message')).toMatchObject({ sequence: 3 })

  // messages accepted before the stop are there after it, once each
  const writing = await resume(staying, { ...writer, afterSequence: 0 })
  const { messages: stored } = await writing.take('chat_history')
  const accepted = writer.client.framesOf('message_accepted').map(({ clientMessageId }) => clientMessageId)
  expect(stored.map(({ clientMessageId }) => clientMessageId)).toEqual(expect.arrayContaining(accepted))
  sendAll(writing)
  await writing.take('message_accepted', ({ clientMessageId }) => clientMessageId === texts.at(-1))
  const sequences = writing.framesOf('message_accepted').map(({ sequence }) => sequence)
  expect(sequences.sort((a, b) => a - b)).toEqual(texts.map((_, index) => index + 1))
  await Promise.all([admin, back, writing].map((each) => each.close()))
})

test('a node stops in time with status 0 even if clients do not respond, streams are open and requests hang', async () => {
  const deaf = await openTestClient(leaving)
  deaf.raw.pause()
  const cookie = await signIn(leaving)
  const stream = await leaving.call('/api/leads/stream', { headers: cookie })
  const reading = stream.text().catch(() => '')
  const hanging = request(`${leaving.url}/api/leads`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
  })
  hanging.on('error', () => {})
  hanging.write('{')
  expect((await leaving.call('/readyz')).status).toBe(200)
  const { status, ms } = await stop(leaving)
  expect(status).toBe(0)
  expect(ms).toBeLessThan(MAX_STOP_MS)
  deaf.raw.terminate()
  await reading
})
