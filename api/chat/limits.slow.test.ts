import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { eventually, signIn, type TestNode } from '../../events/testing/node.ts'
import { memoryOf } from '../../events/testing/process.ts'
import { startProduct } from '../../events/testing/product.ts'
import { joinChat, joinStaff, openTestClient, say } from '../testing/socket-client.ts'

const MIB = 1024 * 1024
/** The memory by which a node may grow under a flood: mostly the heap of a process that has just started. */
const MAX_GROWTH_BYTES = 160 * MIB

const { node, startNode } = await startProduct()
const { client: visitor, sessionId } = await joinChat(node)

const metric = async (name: string) => {
  const text = await (await node.call('/metrics')).text()
  return Number(new RegExp(`^${name}\\{[^}]*\\} (\\S+)$`, 'm').exec(text)?.[1])
}

describe('a client that never reads', () => {
  /**
   * Fills chats, each up to its visitor's limit, and requests nothing on the socket of staff: pushed frames alone must
   * do it.
   */
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

  test('is disconnected when 1 MiB waits for it, while others continue and the memory stays bounded', async () => {
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

  test('is also disconnected while it is sent a long history', async () => {
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

  test('is also disconnected while it floods the node with requests', async () => {
    const client = await openTestClient(node)
    client.raw.pause()
    const before = await memoryOf(node.pid)
    for (let frames = 0; frames < 300; frames += 1) client.send(`{"type":"send_message","p":"${'x'.repeat(60_000)}"}`)
    await say(visitor, sessionId, 'others go on')
    expect((await memoryOf(node.pid)) - before).toBeLessThan(MAX_GROWTH_BYTES)
    client.raw.terminate()
  })
})

describe('1 MB of frames', () => {
  const ID = crypto.randomUUID()
  const LONGEST = 64 * 1024 - 1
  const list = (type: string, field: string) => JSON.stringify({ type, [field]: Array(30_000).fill(1) })
  const KINDS: [kind: string, opcode: number, payload: string][] = [
    ['ping', 1, '{"type":"ping"}'],
    ['join_admin with a long list', 1, list('join_admin', 'listed')],
    ['follow_visitors with a long list', 1, list('follow_visitors', 'sessionIds')],
    ['no JSON', 1, 'x'],
    ['no JSON, as long as it may be', 1, '['.repeat(LONGEST)],
    ['no text at all', 1, ''],
    ['an unknown type', 1, '{"type":"x"}'],
    ['send_message', 1, JSON.stringify({ type: 'send_message', sessionId: ID, message: 'm' })],
    [
      'send_message, as long as it may be',
      1,
      JSON.stringify({ type: 'send_message', sessionId: ID, message: 'm'.repeat(65_000) }),
    ],
    ['pings of the protocol', 9, ''],
    ['unsolicited pongs', 10, ''],
  ]

  /** A frame of a client on the wire, its mask all zero. */
  const onTheWire = (opcode: number, payload: string) => {
    const short = payload.length < 126
    const head = Buffer.alloc(short ? 6 : 8)
    head[0] = 0x80 | opcode
    head[1] = 0x80 | (short ? payload.length : 126)
    if (!short) head.writeUInt16BE(payload.length, 2)
    return Buffer.concat([head, Buffer.from(payload)])
  }

  const lookAt = async (watched: TestNode) => {
    const start = performance.now()
    const isAnswered = await watched.call('/healthz').then(
      (answer) => answer.ok,
      () => false,
    )
    return isAnswered ? performance.now() - start : Number.POSITIVE_INFINITY
  }

  /** The milliseconds of each check of /healthz on some nodes, one every few milliseconds, until `over` settles. */
  const watchHealth = async (over: Promise<unknown>, ...watched: TestNode[]) => {
    const looks: Promise<number[]>[] = []
    const timer = setInterval(() => looks.push(Promise.all(watched.map(lookAt))), 4)
    await over
    await eventually(() => expect(looks.length).toBeGreaterThanOrEqual(40))
    clearInterval(timer)
    return await Promise.all(looks)
  }

  const p99 = (all: number[]) => all.toSorted((a, b) => a - b)[Math.floor(all.length * 0.99)] ?? Number.NaN

  let floods = 0

  /** Sends 1 MB of one kind of frame as fast as the network takes it, then a frame whose response marks the end. */
  const flood = async (address: string, opcode: number, payload: string) => {
    const headers = { origin: node.url, 'x-forwarded-for': address }
    const socket = new WebSocket(`${node.url.replace('http', 'ws')}/ws`, { headers })
    const isOver = Promise.withResolvers<void>()
    socket.on('message', (data) => data.toString().includes('"last"') && isOver.resolve())
    socket.on('close', isOver.resolve)
    await once(socket, 'open')
    const frame = onTheWire(opcode, payload)
    const last = onTheWire(1, JSON.stringify({ type: 'send_message', clientMessageId: 'last' }))
    const all = Buffer.concat([...Array<Buffer>(Math.ceil(1e6 / frame.length)).fill(frame), last])
    const { _socket: connection } = socket as unknown as { _socket: NodeJS.WritableStream }
    connection.write(all)
    await isOver.promise
    socket.terminate()
  }

  test.each([1, 4])('of any kind on each of %d sockets does not hold up the node', async (sockets) => {
    const quiet = await startNode()
    const looks: number[][] = []
    for (const [, opcode, payload] of KINDS) {
      floods += 1
      const address = `192.0.2.${floods}`
      const over = Promise.all(Array.from({ length: sockets }, () => flood(address, opcode, payload)))
      looks.push(...(await watchHealth(over, node, quiet)))
    }
    // a busy machine also delays a node that is not flooded
    const ofQuiet = p99(looks.map(([, ms = 0]) => ms))
    expect(p99(looks.map(([ms = 0]) => ms))).toBeLessThan(Math.max(100, 6 * ofQuiet))
  })
})
