import type { ClientRequest, IncomingMessage } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { MAX_FILE_BYTES } from '../../events/chat/file.ts'
import { removeOrphanFiles } from '../../events/chat/store/files.ts'
import { eventually, signIn } from '../../events/testing/node.ts'
import { memoryOf } from '../../events/testing/process.ts'
import { startProduct } from '../../events/testing/product.ts'
import { SLOTS } from '../admission/limits.ts'
import { bearer, largestPdf, newAddress, openUploads, PDF, PNG } from '../testing/uploads.ts'

const { nodes, sql, startNode } = await startProduct({ nodes: 2 })
const staff = await signIn(nodes[1])

/** The bytes that a slow upload sends in half a second: twice the minimum. */
const SLOW_BYTES = 20 * 1024

const { newChat, store, begin, responseTo, refusalOf } = openUploads(nodes[0])

test('of 200 files at once from one address a node reads two, of all addresses eight, and the rest not at all', async () => {
  const chats = await Promise.all(Array.from({ length: 25 }, (_, index) => newChat(`Flood ${index}`)))
  const largest = largestPdf()
  const before = await memoryOf(nodes[0].pid)
  // at the lowest speed allowed, so that none is cut off during the test, however slow the machine is
  const sent = new Map<ClientRequest, number>()
  const trickle = setInterval(() => {
    for (const [each, bytes] of sent) {
      each.write(largest.subarray(bytes, bytes + SLOW_BYTES))
      sent.set(each, bytes + SLOW_BYTES)
    }
  }, 500)
  onTestFinished(() => clearInterval(trickle))
  const send = (address: string, chat: (typeof chats)[number]) => {
    const begun = begin(chat.sessionId, { ...bearer(chat, address), 'content-length': MAX_FILE_BYTES })
    sent.set(begun, 0)
    return begun.on('response', () => sent.delete(begun))
  }
  const [attacker, last] = [newAddress(), newAddress()]
  const asked = Array.from({ length: 200 }, (_, index) => send(attacker, chats[index % chats.length] as never))
  const refused: IncomingMessage[] = []
  for (const each of asked) each.on('response', (response: IncomingMessage) => refused.push(response))
  const ofAddress = SLOTS.chat_uploads_of_address.most
  await eventually(() => expect(refused).toHaveLength(200 - ofAddress))
  expect(new Set(refused.map(({ statusCode }) => statusCode))).toEqual(new Set([429]))
  expect(new Set(refused.map(({ headers }) => headers['retry-after']))).toEqual(new Set(['2']))
  const isHeld = asked.filter((each) => sent.has(each))
  expect(isHeld).toHaveLength(ofAddress)

  // files of two addresses, however slow, leave slots for others
  const places = SLOTS.chat_uploads.most
  const others = await Promise.all(Array.from({ length: places + 1 }, (_, index) => newChat(`Other ${index}`)))
  const rest = Array.from({ length: places - ofAddress }, (_, index) => Math.floor(index / ofAddress))
  const addresses = rest.map(() => newAddress())
  const more = rest.map((address, index) => send(addresses[address] ?? '', others[index + 1] as never))
  const chat = others[0] as (typeof others)[number]
  await eventually(async () => {
    const { status, retryAfter } = await refusalOf(chat.sessionId, { ...bearer(chat, last), 'content-length': 10 })
    expect([status, retryAfter]).toEqual([429, '2'])
  })
  // strangers fill only the slots of visitors
  expect((await store(chat.sessionId, PNG, staff)).status).toBe(201)
  // the admitted uploads finish and make room
  const held = [...isHeld, ...more]
  expect(held).toHaveLength(SLOTS.chat_uploads.most)
  const answers = held.map((each) => responseTo(each))
  clearInterval(trickle)
  for (const each of held) each.end(largest.subarray(sent.get(each)))
  expect((await Promise.all(answers)).map(({ statusCode }) => statusCode)).toEqual(held.map(() => 201))
  await eventually(async () => expect((await store(chat.sessionId, PNG, bearer(chat, last))).status).toBe(201))
  // eight files, and those on their way to Postgres several times over
  expect((await memoryOf(nodes[0].pid)) - before).toBeLessThan(300 * 1024 * 1024)
})

test('a file whose node is killed before a message names it is there for the message, or removed after an hour', async () => {
  const chat = await newChat('Survivor')
  const mortal = await startNode()
  const send = async () => {
    const answer = await mortal.call(`/api/chat-files/${chat.sessionId}`, {
      method: 'POST',
      headers: { 'x-file-name': 'plan.pdf', ...bearer(chat) },
      body: new Uint8Array(PDF),
    })
    return (await answer.json()) as { id: string }
  }
  const [named, orphan] = [await send(), await send()]
  mortal.kill('SIGKILL')
  await mortal.ended
  const frame = { type: 'send_message', sessionId: chat.sessionId, message: 'x', clientMessageId: 'after the kill' }
  for (let tries = 0; tries < 2; tries += 1) {
    chat.client.send({ ...frame, fileId: named.id })
    expect(await chat.client.take('message_accepted')).toMatchObject({ sequence: 1 })
  }
  const before = await sql`select from chat_files where session_id = ${chat.sessionId}`
  expect(before).toHaveLength(2)
  await eventually(async () => {
    await removeOrphanFiles(sql, { now: new Date(Date.now() + 2 * 60 * 60 * 1000) })
    const left = await sql<{ id: string }[]>`select id from chat_files where session_id = ${chat.sessionId}`
    expect(left.map(({ id }) => id)).toEqual([named.id])
  })
  chat.client.send({ ...frame, fileId: orphan.id, clientMessageId: 'too late' })
  expect(await chat.client.take('error')).toMatchObject({ code: 'bad_frame', clientMessageId: 'too late' })
})
