import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { ServerFrame } from '../../events/chat/sent-frames.ts'
import { serverFrame } from '../../events/chat/server-frames.ts'
import { exactly } from '../../events/testing/exactly.ts'
import type { TestNode } from '../../events/testing/node.ts'

const TAKE_TIMEOUT_MS = 30_000

export type FrameOf<Type extends ServerFrame['type']> = Extract<ServerFrame, { type: Type }>

/** A chat client of a test, a visitor's or staff's. A frame that does not meet the contract fails the test. */
export type TestClient = {
  raw: WebSocket
  /** Every frame so far, in the order of arrival. */
  frames: ServerFrame[]
  framesOf: <Type extends ServerFrame['type']>(type: Type) => FrameOf<Type>[]
  /** Sends a frame; a string goes unchanged. */
  send: (frame: object | string) => void
  /** The next frame of a type that has not been taken yet and fits; fails after half a minute. */
  take: <Type extends ServerFrame['type']>(
    type: Type,
    fits?: (frame: FrameOf<Type>) => boolean,
    timeoutMs?: number,
  ) => Promise<FrameOf<Type>>
  /** Settles once the server, or `close`, has ended the connection. */
  closed: Promise<number>
  close: () => Promise<void>
}

/** Connects as a page of the node's own origin would. */
export const openTestClient = async (node: TestNode, headers: Record<string, string> = {}): Promise<TestClient> => {
  const raw = new WebSocket(`${node.url.replace('http', 'ws')}/ws`, { headers: { origin: node.url, ...headers } })
  const frames: ServerFrame[] = []
  const left: ServerFrame[] = []
  let wake = Promise.withResolvers<void>()
  raw.on('message', (data) => {
    const frame = exactly(serverFrame, JSON.parse(data.toString()))
    frames.push(frame)
    left.push(frame)
    wake.resolve()
    wake = Promise.withResolvers()
  })
  raw.on('error', () => {})
  const closed = new Promise<number>((resolve) => raw.once('close', resolve))
  await Promise.race([
    once(raw, 'open'),
    once(raw, 'unexpected-response').then(([, response]) => {
      throw new Error(`The upgrade was answered ${response.statusCode}`)
    }),
  ])

  const take: TestClient['take'] = async (type, fits = () => true, timeoutMs = TAKE_TIMEOUT_MS) => {
    const late = Promise.withResolvers<void>()
    const timer = setTimeout(late.resolve, timeoutMs)
    const deadline = performance.now() + timeoutMs
    try {
      for (;;) {
        const index = left.findIndex((frame) => frame.type === type && fits(frame as never))
        if (index >= 0) return left.splice(index, 1)[0] as never
        if (performance.now() >= deadline) break
        await Promise.race([wake.promise, late.promise])
      }
    } finally {
      clearTimeout(timer)
    }
    throw new Error(`No ${type} came in ${timeoutMs} ms: ${JSON.stringify(frames.slice(-5))}`)
  }

  return {
    raw,
    frames,
    framesOf: (type) => frames.filter((frame) => frame.type === type) as never,
    send: (frame) => raw.send(typeof frame === 'string' ? frame : JSON.stringify(frame)),
    take,
    closed,
    close: async () => {
      raw.close()
      await closed
    },
  }
}

/** Connects a visitor and starts a chat. A client with the `joinKey` too is on the device that began it. */
export const joinChat = async (node: TestNode, visitorName = 'Ana', headers: Record<string, string> = {}) => {
  const client = await openTestClient(node, headers)
  const joinKey = randomUUID()
  client.send({ type: 'join_chat', visitorName, visitorEmail: '', pageUrl: '/pricing', joinKey })
  const { sessionId, resumeToken } = await client.take('chat_joined')
  return { client, sessionId, resumeToken, joinKey }
}

/** Connects staff and joins them. */
export const joinStaff = async (node: TestNode, cookie: { cookie: string }) => {
  const client = await openTestClient(node, cookie)
  client.send({ type: 'join_admin' })
  await client.take('active_sessions')
  return client
}

/** Sends a message and waits until it is accepted. */
export const say = async (
  client: TestClient,
  sessionId: string,
  message: string,
  clientMessageId: string = message,
) => {
  client.send({ type: 'send_message', sessionId, message, clientMessageId })
  return await client.take('message_accepted', (frame) => frame.clientMessageId === clientMessageId)
}
