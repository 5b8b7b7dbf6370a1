import { describe, expect, test } from 'vitest'
import { eventually, signIn } from '../../events/testing/node.ts'
import { memoryOf } from '../../events/testing/process.ts'
import { startProduct } from '../../events/testing/product.ts'
import { joinChat, joinStaff, openTestClient, say } from './test-client.ts'

const MIB = 1024 * 1024
/** What a node may grow by under a flood: mostly the heap of a process that has just started. */
const MAX_GROWTH_BYTES = 160 * MIB

const { node } = await startProduct()
const { client: visitor, sessionId } = await joinChat(node)

const metric = async (name: string) => {
  const text = await (await node.call('/metrics')).text()
  return Number(new RegExp(`^${name}\\{[^}]*\\} (\\S+)$`, 'm').exec(text)?.[1])
}

describe('a client that never reads', () => {
  /** Fills chats, each as far as its visitor may, and asks staff's socket for nothing: news alone must do it. */
  const flood = async (until: () => Promise<boolean>) => {
    const text = 'f'.repeat(4_000)
    for (let chats = 0; chats < 80; chats += 1) {
      const { client, sessionId } = await joinChat(node, 'Flooder', { 'x-forwarded-for': `198.51.100.${chats}` })
      for (let index = 0; index < 100; index += 1) client.send({ type: 'send_message', sessionId, message: text })
      await say(client, sessionId, `flood ${chats}`)
      await client.close()
      if (await until()) return
    }
    throw new Error('32 MB of news did not cut it off')
  }

  test('is cut off when 1 MiB waits for it, while others go on and the memory stays bounded', async () => {
    const staff = await signIn(node)
    const reader = await joinStaff(node, staff)
    const lazy = await joinStaff(node, staff)
    const sockets = await metric('chat_sockets')
    lazy.raw.pause()
    const before = await memoryOf(node.pid)
    await flood(async () => (await metric('chat_sockets')) < sockets)
    await say(visitor, sessionId, 'the flood is over')
    await reader.take('new_message', ({ message }) => message === 'the flood is over')
    expect((await memoryOf(node.pid)) - before).toBeLessThan(MAX_GROWTH_BYTES)
    lazy.raw.terminate()
    await reader.close()
  })

  test('is cut off too while it is sent a long history', async () => {
    const lazy = await joinStaff(node, await signIn(node))
    const sockets = await metric('chat_sockets')
    const { client, sessionId } = await joinChat(node)
    for (let index = 0; index < 100; index += 1) {
      client.send({ type: 'send_message', sessionId, message: '€'.repeat(4_000) })
    }
    await say(client, sessionId, 'the end')
    await client.close()
    lazy.raw.pause()
    for (let asked = 0; asked < 8; asked += 1) lazy.send({ type: 'get_messages', sessionId })
    await flood(async () => (await metric('chat_sockets')) < sockets)
    lazy.raw.terminate()
    await eventually(async () => expect(await metric('chat_sockets')).toBe(sockets - 1))
  })

  test('is cut off too while it floods the node with questions', async () => {
    const client = await openTestClient(node)
    client.raw.pause()
    const before = await memoryOf(node.pid)
    for (let frames = 0; frames < 300; frames += 1) client.send(`{"type":"send_message","p":"${'x'.repeat(60_000)}"}`)
    await say(visitor, sessionId, 'others go on')
    expect((await memoryOf(node.pid)) - before).toBeLessThan(MAX_GROWTH_BYTES)
    client.raw.terminate()
  })
})
