import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { fillChat } from '../../events/testing/fill-chat.ts'
import { memoryOf } from '../../events/testing/process.ts'
import { startProduct } from '../../events/testing/product.ts'
import { joinChat, openTestClient, say, type TestClient } from '../testing/socket-client.ts'

const MIB = 1024 * 1024
const LONG = 4_000
/** 120 MB of text. */
const MESSAGES = 30_000
/** Twice as much text needs no more memory: it is the garbage that a node leaves before it cleans up. */
const MAX_GROWTH_BYTES = 256 * MIB
const WAIT_MS = 180_000

const { database, node } = await startProduct()

/** A chat in which the visitor has written this many messages, each this long. */
const startLongChat = async (count: number, characters: number) => {
  const { client, sessionId, resumeToken } = await joinChat(node)
  await client.close()
  await fillChat(database.url, { sessionId, count, textOf: (number) => String(number).padEnd(characters, 'x') })
  return { sessionId, back: { type: 'join_chat', visitorName: 'Ana', sessionId, resumeToken } }
}

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index)

const sequencesOf = (client: TestClient) =>
  client.framesOf('chat_history').flatMap(({ messages }) => messages.map(({ sequence }) => sequence))

test(
  'a chat of 120 MB is sent at its reader’s pace: the memory stays bounded, and a slow reader stays connected',
  async () => {
    const { sessionId, back } = await startLongChat(MESSAGES, LONG)
    const fast = await openTestClient(node)
    const before = await memoryOf(node.pid)
    let most = before
    const watch = new AbortController()
    const watching = (async () => {
      while (!watch.signal.aborted) {
        most = Math.max(most, await memoryOf(node.pid))
        await delay(50)
      }
    })()
    fast.send(back)
    await fast.take('chat_history', ({ messages }) => messages.at(-1)?.sequence === MESSAGES, WAIT_MS)
    expect(sequencesOf(fast)).toEqual(range(1, MESSAGES))
    await fast.close()

    const slow = await openTestClient(node)
    slow.raw.on('message', () => {
      slow.raw.pause()
      setTimeout(() => slow.raw.resume(), 50)
    })
    slow.send({ ...back, afterSequence: MESSAGES - 5_000 })
    await slow.take('chat_history')
    const tab = await openTestClient(node)
    tab.send({ ...back, afterSequence: MESSAGES })
    for (let count = 1; count <= 20; count += 1) await say(tab, sessionId, `tab ${count}`)
    await slow.take('chat_history', ({ messages }) => (messages.at(-1)?.sequence ?? 0) >= MESSAGES, WAIT_MS)
    await say(slow, sessionId, 'still here')
    await slow.take('new_message', ({ message }) => message === 'still here')
    const live = slow.framesOf('new_message').map(({ sequence }) => sequence)
    expect([...sequencesOf(slow), ...live]).toEqual(range(MESSAGES - 4_999, MESSAGES + 21))
    watch.abort()
    await watching
    expect(most - before).toBeLessThan(MAX_GROWTH_BYTES)
    await Promise.all([slow.close(), tab.close()])
  },
  3 * WAIT_MS,
)
