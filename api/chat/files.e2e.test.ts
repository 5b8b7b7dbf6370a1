import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MAX_FILE_BYTES } from '../../events/chat-file.ts'
import { createTestDatabase, testRedisUrl } from '../../events/local/test-database.ts'
import { eventually, signIn, startTestNode, startTestWorker, type TestNode } from '../../events/local/test-node.ts'
import type { TestProcess } from '../../events/local/test-process.ts'
import { connect, type Sql } from '../../events/log/connection.ts'
import { joinChat, joinStaff, openTestClient, type TestClient } from './test-client.ts'

const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.from('a very plain picture')])
const PDF = Buffer.from('%PDF-1.7 a plan of the house')

let database: Awaited<ReturnType<typeof createTestDatabase>>
let nodes: [TestNode, TestNode]
let worker: TestProcess
let staff: { cookie: string }
let admin: TestClient
let sql: Sql

beforeAll(async () => {
  database = await createTestDatabase()
  sql = connect(database.url, { max: 1, name: 'test' })
  const stores = { databaseUrl: database.url, redisUrl: await testRedisUrl() }
  ;[nodes, worker] = await Promise.all([
    Promise.all([startTestNode(stores), startTestNode(stores)]),
    startTestWorker(stores),
  ])
  staff = await signIn(nodes[1])
  admin = await joinStaff(nodes[1], staff)
})

afterAll(async () => {
  await admin.close()
  await Promise.all([...nodes, worker].map((process) => process.stop()))
  await sql.end()
  await database.drop()
})

type Proof = Record<string, string>

const bearer = ({ resumeToken }: { resumeToken: string }): Proof => ({ authorization: `Bearer ${resumeToken}` })

const store = (sessionId: string, content: Uint8Array, headers: Proof, type = 'application/octet-stream') =>
  nodes[0].call(`/api/chat-files/${sessionId}`, {
    method: 'POST',
    headers: { 'content-type': type, ...headers },
    body: new Uint8Array(content),
  })

/** What is answered to a file of this length before any of it is sent. */
const statusOfLength = async (sessionId: string, length: number, headers: Proof) => {
  const asked = request(`${nodes[0].url}/api/chat-files/${sessionId}`, {
    method: 'POST',
    headers: { ...headers, 'content-length': length },
  })
  asked.flushHeaders()
  const [response]: IncomingMessage[] = await once(asked, 'response')
  asked.on('error', () => {}).destroy()
  return response?.statusCode
}

const fetchFrom = (sessionId: string, id: string, headers: Proof) =>
  nodes[1].call(`/api/chat-files/${sessionId}/${id}`, { headers })

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

test('a visitor and staff send each other files, which arrive as attachments and only to those of the chat', async () => {
  const chat = await joinChat(nodes[0], 'Lindiwe')
  const other = await joinChat(nodes[0], 'Stranger')
  const { sessionId } = chat
  const stored = await store(sessionId, PNG, bearer(chat), 'text/html')
  expect(stored.status).toBe(201)
  const file = await stored.json()
  expect(file).toEqual({ id: expect.any(String), mediaType: 'image/png', size: PNG.length })
  chat.client.send({ type: 'send_message', sessionId, message: 'front.png', fileId: file.id, clientMessageId: 'one' })
  await chat.client.take('message_accepted')
  expect(await admin.take('new_message', (frame) => frame.sessionId === sessionId)).toMatchObject({
    message: 'front.png',
    file,
  })
  const fetched = await fetchFrom(sessionId, file.id, staff)
  expect(fetched.status).toBe(200)
  expect(fetched.headers.get('content-type')).toBe('image/png')
  expect(fetched.headers.get('content-disposition')).toBe('attachment')
  expect(fetched.headers.get('x-content-type-options')).toBe('nosniff')
  expect(fetched.headers.get('content-security-policy')).toContain('sandbox')
  expect(fetched.headers.get('cache-control')).toContain('no-store')
  expect(await bytesOf(fetched)).toEqual(PNG)

  const answer = await (await store(sessionId, PDF, staff)).json()
  admin.send({ type: 'send_message', sessionId, message: 'plan.pdf', fileId: answer.id, clientMessageId: 'two' })
  expect(await chat.client.take('new_message', (frame) => frame.senderType === 'admin')).toMatchObject({ file: answer })
  expect(await bytesOf(await fetchFrom(sessionId, answer.id, bearer(chat)))).toEqual(PDF)

  for (const nobody of [{}, bearer(other), { authorization: 'Bearer ' }]) {
    expect((await fetchFrom(sessionId, file.id, nobody)).status).toBe(401)
    expect((await store(sessionId, PNG, nobody)).status).toBe(401)
  }
  // a file of one chat is not in another one
  expect((await fetchFrom(other.sessionId, file.id, bearer(other))).status).toBe(404)
  expect((await fetchFrom(other.sessionId, file.id, staff)).status).toBe(404)

  const back = await openTestClient(nodes[1])
  back.send({ type: 'join_chat', visitorName: 'Lindiwe', sessionId, resumeToken: chat.resumeToken })
  const { messages } = await back.take('chat_history')
  expect(messages.map((message) => message.file?.id)).toEqual([file.id, answer.id])
  await Promise.all([chat, other].map(({ client }) => client.close()))
  await back.close()
})

test('a message names a file only that its own side has stored in the same chat', async () => {
  const chat = await joinChat(nodes[0], 'Borrower')
  const other = await joinChat(nodes[0], 'Owner')
  const ofStaff = await (await store(chat.sessionId, PNG, staff)).json()
  const ofOther = await (await store(other.sessionId, PNG, bearer(other))).json()
  for (const fileId of [ofStaff.id, ofOther.id, randomUUID()]) {
    chat.client.send({ type: 'send_message', sessionId: chat.sessionId, message: 'x', fileId, clientMessageId: fileId })
    expect(await chat.client.take('error', (frame) => frame.clientMessageId === fileId)).toMatchObject({
      code: 'bad_frame',
    })
  }
  await Promise.all([chat, other].map(({ client }) => client.close()))
})

test.each([
  ['a page', '<!doctype html><script>alert(1)</script>', 'image/png'],
  ['a drawing with script', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', 'image/svg+xml'],
  ['a program', 'MZ\x90\x00', 'application/pdf'],
  ['nothing', '', 'image/png'],
])('%s is refused, whatever it is said to be', async (_, text, type) => {
  const chat = await joinChat(nodes[0])
  const refused = await store(chat.sessionId, Buffer.from(text, 'latin1'), bearer(chat), type)
  expect(refused.status).toBe(415)
  expect(await refused.json()).toMatchObject({ detail: expect.stringContaining('application/pdf') })
  await chat.client.close()
})

test('a file of 5 MiB is taken, one byte more is not, and neither is one for a chat that has ended', async () => {
  const chat = await joinChat(nodes[0])
  const largest = Buffer.alloc(MAX_FILE_BYTES)
  PDF.copy(largest)
  const stored = await store(chat.sessionId, largest, bearer(chat))
  expect(stored.status).toBe(201)
  const { id, size } = await stored.json()
  expect(size).toBe(MAX_FILE_BYTES)
  expect((await bytesOf(await fetchFrom(chat.sessionId, id, bearer(chat)))).equals(largest)).toBe(true)
  expect(await statusOfLength(chat.sessionId, MAX_FILE_BYTES + 1, bearer(chat))).toBe(413)
  chat.client.send({ type: 'end_chat', sessionId: chat.sessionId })
  await chat.client.take('chat_ended')
  expect((await store(chat.sessionId, PNG, bearer(chat))).status).toBe(409)
  expect((await store(randomUUID(), PNG, staff)).status).toBe(404)
  await chat.client.close()
})

test('files are counted: one chat takes 20 in ten minutes, whatever else its visitor does', async () => {
  const chat = await joinChat(nodes[0], 'Eager')
  const statuses: number[] = []
  for (let count = 0; count < 20; count += 1) statuses.push((await store(chat.sessionId, PNG, bearer(chat))).status)
  expect(new Set(statuses)).toEqual(new Set([201]))
  const refused = await store(chat.sessionId, PNG, bearer(chat))
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  // staff are counted by account, and the chat itself is full
  const full = await store(chat.sessionId, PNG, staff)
  expect([full.status, (await full.json()).detail]).toEqual([409, 'This chat holds as many files as it can'])
  await chat.client.close()
})

test('a file is unreadable where it is kept, and goes with its person', async () => {
  const visitorEmail = 'gone@files.example'
  const client = await openTestClient(nodes[0])
  client.send({ type: 'join_chat', visitorName: 'Gone', visitorEmail, pageUrl: '/' })
  const { sessionId, resumeToken } = await client.take('chat_joined')
  const { id } = await (await store(sessionId, PDF, bearer({ resumeToken }))).json()
  client.send({ type: 'send_message', sessionId, message: 'plan.pdf', fileId: id, clientMessageId: 'plan' })
  await client.take('message_accepted')
  const [kept] = await sql<{ bytes: Buffer }[]>`select bytes from chat_files where id = ${id}`
  expect(kept?.bytes.includes('plan of the house')).toBe(false)
  expect(kept?.bytes.length).toBeGreaterThan(PDF.length)

  const lead = { name: 'Gone', email: visitorEmail, phone: '000 000 0000', leadSource: 'hero_form' }
  const { id: leadId } = await (await nodes[0].post('/api/leads', lead)).json()
  await eventually(async () => expect((await nodes[1].post(`/api/leads/${leadId}/erase`, {}, staff)).status).toBe(204))
  await client.take('chat_ended', (frame) => frame.isErased === true)
  await eventually(async () =>
    expect(await sql`select from chat_files where session_id = ${sessionId}`).toHaveLength(0),
  )
  expect((await fetchFrom(sessionId, id, staff)).status).toBe(404)
  expect((await store(sessionId, PDF, bearer({ resumeToken }))).status).toBe(409)
  await client.close()
})
