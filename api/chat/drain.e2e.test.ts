import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { beforeEach, expect, test } from 'vitest'
import { eventually, signIn, type TestNode } from '../../events/testing/node.ts'
import { startProduct } from '../../events/testing/product.ts'
import { joinChat, joinStaff, openTestClient, say } from './test-client.ts'

const MAX_STOP_MS = 10_000

const { node: staying, startNode } = await startProduct()
let leaving: TestNode

beforeEach(async () => {
  leaving = await startNode()
})

/** Asks a node to stop, which it does without comparing once Postgres is gone; answers its status and how long it took. */
const stop = async (node: TestNode) => {
  const start = performance.now()
  node.kill('SIGTERM')
  const { status } = await node.ended
  expect(node.printed()).not.toContain('could not read the log')
  return { status, ms: performance.now() - start }
}

test('a node that stops sends its clients elsewhere, where they resume without loss', async () => {
  const admin = await joinStaff(staying, await signIn(staying))
  const { client, sessionId, resumeToken } = await joinChat(leaving)
  await say(client, sessionId, 'one')
  // a request under way keeps the node from ending before it has been looked at
  const slow = request(`${leaving.url}/api/leads`, { method: 'POST', headers: { 'content-type': 'application/json' } })
  slow.on('error', () => {})
  slow.write('{')
  await eventually(async () => expect((await leaving.call('/readyz')).status).toBe(200))

  const stopping = stop(leaving)
  const notice = await client.take('reconnect')
  expect(notice.afterMs).toBeGreaterThanOrEqual(0)
  expect(notice.afterMs).toBeLessThanOrEqual(3_000)
  expect(await client.closed).toBe(1012)
  await say(admin, sessionId, 'two, while nobody is there')
  slow.end('}')
  expect(await stopping).toMatchObject({ status: 0 })

  const back = await openTestClient(staying)
  back.send({ type: 'join_chat', visitorName: 'Ana', sessionId, resumeToken, afterSequence: 1 })
  const { messages } = await back.take('chat_history')
  expect(messages.map(({ sequence }) => sequence)).toEqual([2])
  await say(admin, sessionId, 'three')
  expect(await back.take('new_message')).toMatchObject({ sequence: 3 })
  await Promise.all([admin.close(), back.close()])
})

test('readyz answers 503 and names the reason while the node is draining, and no socket is taken any more', async () => {
  // kept connections, each in the middle of a request that keeps it from falling idle
  const ask = (path: string, headers: Record<string, string> = {}) => {
    const sent = connect(Number(new URL(leaving.url).port), '127.0.0.1').setEncoding('utf8')
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
  const finishReadyz = ask('/readyz')
  const finishUpgrade = ask('/ws', {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
  })
  expect((await leaving.call('/readyz')).status).toBe(200) // by now both halves have arrived
  const stopping = stop(leaving)
  await eventually(() => expect(leaving.printed()).toContain('"stopping"'))
  const readyz = await finishReadyz()
  expect(readyz).toMatch(/^HTTP\/1.1 503/)
  expect(readyz).toContain('"failing":["draining"]')
  expect(await finishUpgrade()).toMatch(/^HTTP\/1.1 503/)
  expect(await stopping).toMatchObject({ status: 0 })
})

test('messages that were accepted before the stop are there after it, each once', async () => {
  const { client, sessionId, resumeToken } = await joinChat(leaving)
  const texts = Array.from({ length: 200 }, (_, index) => `message ${index}`)
  for (const text of texts) client.send({ type: 'send_message', sessionId, message: text, clientMessageId: text })
  await client.take('message_accepted')
  const { status } = await stop(leaving)
  expect(status).toBe(0)

  const back = await openTestClient(staying)
  back.send({ type: 'join_chat', visitorName: 'Ana', sessionId, resumeToken, afterSequence: 0 })
  const { messages: stored } = await back.take('chat_history')
  const accepted = client.framesOf('message_accepted').map(({ clientMessageId }) => clientMessageId)
  expect(stored.map(({ clientMessageId }) => clientMessageId)).toEqual(expect.arrayContaining(accepted))
  for (const text of texts) back.send({ type: 'send_message', sessionId, message: text, clientMessageId: text })
  await back.take('message_accepted', ({ clientMessageId }) => clientMessageId === texts.at(-1))
  const sequences = back.framesOf('message_accepted').map(({ sequence }) => sequence)
  expect(sequences.sort((a, b) => a - b)).toEqual(texts.map((_, index) => index + 1))
  await back.close()
})

test('a node stops in time with status 0 though clients do not answer, streams are open and requests hang', async () => {
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
