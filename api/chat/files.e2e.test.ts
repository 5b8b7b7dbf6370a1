import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { MAX_FILE_BYTES } from '../../events/chat/file.ts'
import { eventually, signIn } from '../../events/testing/node.ts'
import { startProduct } from '../../events/testing/product.ts'
import { joinStaff, openTestClient } from '../testing/socket-client.ts'
import { bearer, largestPdf, openUploads, PDF, PNG, type Proof, pngOf } from '../testing/uploads.ts'

const { nodes, sql } = await startProduct({ nodes: 2 })
const staff = await signIn(nodes[1])
const admin = await joinStaff(nodes[1], staff)

const { newChat, store, begin, responseTo, refusalOf } = openUploads(nodes[0])

const fetchFrom = (sessionId: string, id: string, headers: Proof, node = nodes[1]) =>
  node.call(`/api/chat-files/${sessionId}/${id}`, { headers })

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

test('a visitor and staff send each other files, as attachments and only to participants of the chat', async () => {
  const [chat, other] = [await newChat('Lindiwe'), await newChat('Stranger')]
  const { sessionId } = chat
  const stored = await store(sessionId, PNG, bearer(chat), '../shop "front" é.exe', 'text/html')
  expect(stored.status).toBe(201)
  const file = await stored.json()
  const name = 'shop front é.png'
  expect(file).toEqual({ id: expect.any(String), name, mediaType: 'image/png', size: PNG.length })
  // the page's own description of the file is ignored
  chat.client.send({ type: 'send_message', sessionId, message: 'x', fileId: file.id, clientMessageId: 'one' })
  await chat.client.take('message_accepted')
  expect(await admin.take('new_message', (frame) => frame.sessionId === sessionId)).toMatchObject({
    message: `Sent a file: ${name} (1 kB)`,
    file,
  })
  const fetched = await fetchFrom(sessionId, file.id, staff)
  expect(fetched.status).toBe(200)
  expect(Object.fromEntries(fetched.headers)).toMatchObject({
    'content-type': 'image/png',
    'content-length': String(PNG.length),
    'content-disposition': `attachment; filename="shop front _.png"; filename*=UTF-8''shop%20front%20%C3%A9.png`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'private, no-store',
  })
  expect(await bytesOf(fetched)).toEqual(PNG)

  const answer = await (await store(sessionId, PDF, staff, 'plan.pdf')).json()
  admin.send({ type: 'send_message', sessionId, message: 'x', fileId: answer.id.toUpperCase(), clientMessageId: 'two' })
  expect(await chat.client.take('new_message', (frame) => frame.senderType === 'admin')).toMatchObject({ file: answer })
  const inCapitals = await fetchFrom(sessionId.toUpperCase(), answer.id.toUpperCase(), bearer(chat))
  expect(await bytesOf(inCapitals)).toEqual(PDF)

  for (const nobody of [{}, bearer(other), { authorization: 'Bearer ' }]) {
    expect((await fetchFrom(sessionId, file.id, nobody)).status).toBe(401)
    expect((await store(sessionId, PNG, nobody)).status).toBe(401)
  }
  // a file of one chat is not in another one
  expect((await fetchFrom(other.sessionId, file.id, bearer(other))).status).toBe(404)
  expect((await fetchFrom(other.sessionId, file.id, staff)).status).toBe(404)

  const back = await openTestClient(nodes[1])
  onTestFinished(() => back.close())
  back.send({ type: 'join_chat', visitorName: 'Lindiwe', sessionId, resumeToken: chat.resumeToken })
  const { messages } = await back.take('chat_history')
  expect(messages.map((message) => message.file?.id)).toEqual([file.id, answer.id])

  // the earlier token is no longer valid
  expect((await nodes[0].post(`/api/chats/${sessionId}/revoke-links`, {}, staff)).status).toBe(204)
  const { resumeToken } = await chat.client.take('resume_token')
  expect((await fetchFrom(sessionId, file.id, bearer(chat))).status).toBe(401)
  expect((await fetchFrom(sessionId, file.id, bearer({ resumeToken }))).status).toBe(200)
})

test('a message can only name a file that its own side has stored in the same chat', async () => {
  const [chat, other] = [await newChat('Borrower'), await newChat('Owner')]
  const ofStaff = await (await store(chat.sessionId, PNG, staff)).json()
  const ofOther = await (await store(other.sessionId, PNG, bearer(other))).json()
  for (const fileId of [ofStaff.id, ofOther.id, randomUUID()]) {
    chat.client.send({ type: 'send_message', sessionId: chat.sessionId, message: 'x', fileId, clientMessageId: fileId })
    expect(await chat.client.take('error', (frame) => frame.clientMessageId === fileId)).toMatchObject({
      code: 'bad_frame',
    })
  }
})

test('a file’s type is decided by its bytes, pixels included, and it is never shown as a page', async () => {
  const chat = await newChat()
  const proof = bearer(chat)
  const refused: [text: string, type: string][] = [
    ['<!doctype html><script>alert(1)</script>', 'image/png'],
    ['<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', 'image/svg+xml'],
    ['<html>%PDF-1.7', 'application/pdf'],
    ['MZ\x90\x00', 'application/pdf'],
    ['', 'image/png'],
  ]
  for (const [text, type] of refused) {
    const answer = await store(chat.sessionId, Buffer.from(text, 'latin1'), proof, 'a.png', type)
    expect(answer.status).toBe(415)
    expect(await answer.json()).toMatchObject({ detail: expect.stringContaining('PDF') })
  }
  for (const [content, status, reason] of [
    [pngOf(50_000_000), 413, 'This picture has 50,000,000 × 1 pixels'],
    [PNG.subarray(0, 16), 415, 'This picture is damaged'],
  ] as const) {
    const answer = await store(chat.sessionId, content, proof)
    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject({ detail: expect.stringContaining(reason) })
  }
  const polyglot = Buffer.from('GIF89a\x01\0\x01\0/*<script>alert(1)</script>*/', 'latin1')
  const { id } = await (await store(chat.sessionId, polyglot, proof, 'page.html', 'text/html')).json()
  const { headers } = await fetchFrom(chat.sessionId, id, proof)
  expect(headers.get('content-type')).toBe('image/gif')
  expect(headers.get('content-disposition')).toMatch(/^attachment; filename="page\.gif"/)
  expect(headers.get('content-security-policy')).toMatch(/sandbox$/)
})

test('a file of 5 MiB is accepted; one byte more, or one without its length, is refused before it is read', async () => {
  const chat = await newChat()
  const { sessionId } = chat
  const largest = largestPdf()
  const stored = await store(sessionId, largest, bearer(chat))
  expect(stored.status).toBe(201)
  const { id, size } = await stored.json()
  expect(size).toBe(MAX_FILE_BYTES)
  expect((await bytesOf(await fetchFrom(sessionId, id, bearer(chat)))).equals(largest)).toBe(true)
  expect(await refusalOf(sessionId, { ...bearer(chat), 'content-length': MAX_FILE_BYTES + 1 })).toMatchObject({
    status: 413,
  })
  expect(await refusalOf(sessionId, { ...bearer(chat), 'transfer-encoding': 'chunked' })).toMatchObject({ status: 411 })
})

test('an ended chat accepts no files, and still serves those that it has; one that never existed has none', async () => {
  const chat = await newChat()
  const { id } = await (await store(chat.sessionId, PNG, bearer(chat))).json()
  chat.client.send({ type: 'end_chat', sessionId: chat.sessionId })
  await chat.client.take('chat_ended')
  for (const who of [bearer(chat), staff]) {
    const late = await store(chat.sessionId, PNG, who)
    expect([late.status, (await late.json()).type]).toEqual([409, 'urn:problem:chat-ended'])
    expect((await fetchFrom(chat.sessionId, id, who)).status).toBe(200)
  }
  expect((await store(randomUUID(), PNG, staff)).status).toBe(404)
  expect((await fetchFrom(randomUUID(), id, staff)).status).toBe(404)
})

test('files are counted: one chat takes 20 in ten minutes, whatever else its visitor does', async () => {
  const chat = await newChat('Eager')
  const proof = bearer(chat)
  const statuses: number[] = []
  for (let count = 0; count < 20; count += 1) statuses.push((await store(chat.sessionId, PNG, proof)).status)
  expect(new Set(statuses)).toEqual(new Set([201]))
  const refused = await store(chat.sessionId, PNG, bearer(chat))
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  // staff are counted by account, and the chat itself is full
  const full = await store(chat.sessionId, PNG, staff)
  expect([full.status, (await full.json()).type]).toEqual([409, 'urn:problem:chat-full'])
})

test('a response that is not read holds its slot, and more than two of them in a chat are refused', async () => {
  const chat = await newChat('Slow reader')
  const proof = bearer(chat)
  const { id } = await (await store(chat.sessionId, largestPdf(), proof)).json()
  const open = () => {
    const asked = request(`${nodes[1].url}/api/chat-files/${chat.sessionId}/${id}`, { headers: proof })
    asked.on('error', () => {}).end()
    onTestFinished(() => {
      asked.destroy()
    })
    return asked
  }
  const readers = [open(), open()]
  for (const response of await Promise.all(readers.map(responseTo))) response.pause()
  const third = await fetchFrom(chat.sessionId, id, proof)
  expect([third.status, third.headers.get('retry-after')]).toEqual([429, '2'])
  for (const each of readers) each.destroy()
  await eventually(async () => expect((await fetchFrom(chat.sessionId, id, proof)).status).toBe(200))
})

test('an upload that breaks off stores nothing, and is no failure of the node', async () => {
  const chat = await newChat('Tunnel')
  const proof = bearer(chat)
  const asked = begin(chat.sessionId, { ...proof, 'content-length': PNG.length + 1_000 })
  asked.write(PNG)
  // once the node has responded to another request for the same chat, it has read this one
  expect((await fetchFrom(chat.sessionId, randomUUID(), proof, nodes[0])).status).toBe(404)
  asked.destroy()
  await eventually(async () => expect((await store(chat.sessionId, PNG, proof)).status).toBe(201))
  expect(await sql`select from chat_files where session_id = ${chat.sessionId}`).toHaveLength(1)
  expect(nodes[0].printed()).not.toMatch(/request failed|"status":50/)
})

test('a file is unreadable in storage, and is erased with its person', async () => {
  const visitorEmail = 'gone@files.example'
  const client = await openTestClient(nodes[0])
  onTestFinished(() => client.close())
  client.send({ type: 'join_chat', visitorName: 'Gone', visitorEmail, pageUrl: '/' })
  const { sessionId, resumeToken } = await client.take('chat_joined')
  const proof = bearer({ resumeToken })
  const { id } = await (await store(sessionId, PDF, proof, 'secret plan.pdf')).json()
  client.send({ type: 'send_message', sessionId, message: 'x', fileId: id, clientMessageId: 'plan' })
  await client.take('message_accepted')
  const [kept] = await sql<{ bytes: Buffer; name: Buffer }[]>`select bytes, name from chat_files where id = ${id}`
  expect(kept?.bytes.includes('plan of the house')).toBe(false)
  expect(kept?.name.includes('secret plan')).toBe(false)

  const lead = { name: 'Gone', email: visitorEmail, phone: '000 000 0000', leadSource: 'hero_form' }
  const { id: leadId } = await (await nodes[0].post('/api/leads', lead)).json()
  await eventually(async () => expect((await nodes[1].post(`/api/leads/${leadId}/erase`, {}, staff)).status).toBe(204))
  await client.take('chat_ended', (frame) => frame.isErased === true)
  await eventually(async () =>
    expect(await sql`select from chat_files where session_id = ${sessionId}`).toHaveLength(0),
  )
  for (const who of [staff, proof]) {
    expect((await fetchFrom(sessionId, id, who)).status).toBe(404)
    expect((await store(sessionId, PDF, who)).status).toBe(409)
  }
  expect(await sql`select from chat_files where session_id = ${sessionId}`).toHaveLength(0)
})
