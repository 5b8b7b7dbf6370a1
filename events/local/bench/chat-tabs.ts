import { once } from 'node:events'
import process from 'node:process'
import { WebSocket } from 'ws'
import { startTestProcess } from '../../testing/process.ts'
import { type BenchNode, newVisitor } from '../bench-nodes.ts'
import { freePort } from '../port.ts'
import { peerNode } from './peers.ts'
import { OURS } from './reported.ts'

/** A tab in a conversation. */
export type Tab = { send: (text: string, id: string) => void; close: () => void }

/** Two tabs of one visitor, each on a node. */
export type Conversation = [Tab, Tab]

/** Is called by a tab with the id of a message that the other one has sent. */
export type OnArrival = (id: string) => void

/** A node that chats go over. */
export type ChatNode = Pick<BenchNode, 'url' | 'pid' | 'stop'>

/** A way to chat. `open` opens a tab on each of two nodes; `number` distinguishes conversations. */
export type ChatPeer = {
  name: string
  nodes: readonly ChatNode[]
  open: (number: number, on: readonly [ChatNode, ChatNode], onArrival: OnArrival) => Promise<Conversation>
}

type Frame = { type: string; clientMessageId?: string; sessionId?: string; resumeToken?: string; code?: string }

const socketUrl = (url: string) => url.replace('http', 'ws')

const connectTab = async (url: string, headers: Record<string, string>, onText: (text: string) => void) => {
  const socket = new WebSocket(url, { headers, perMessageDeflate: false })
  socket.on('message', (data) => onText(data.toString()))
  await once(socket, 'open')
  return socket
}

/** A tab also receives its own messages: only those of others are passed on. */
const ownMessages = (onArrival: OnArrival) => {
  const own = new Set<string>()
  return {
    send: (id: string) => own.add(id),
    onMessage: (id = '') => {
      if (!own.has(id)) onArrival(id)
    },
  }
}

/** Opens a tab of the product: joins, and resolves once it has. */
const joinTab = async (
  { url }: ChatNode,
  { headers, resume }: { headers: Record<string, string>; resume?: object },
  onMessage: (id?: string) => void,
) => {
  const joined = Promise.withResolvers<Frame>()
  const socket = await connectTab(`${socketUrl(url)}/ws`, headers, (text) => {
    const frame = JSON.parse(text) as Frame
    if (frame.type === 'chat_joined') joined.resolve(frame)
    else if (frame.type === 'new_message') onMessage(frame.clientMessageId)
    else if (frame.type === 'error') throw new Error(`A node refused: ${frame.code}`)
  })
  socket.send(JSON.stringify({ type: 'join_chat', visitorName: 'Ana', visitorEmail: '', pageUrl: '/', ...resume }))
  const { sessionId = '', resumeToken = '' } = await joined.promise
  return { socket, sessionId, resumeToken }
}

/** This product's chat. */
export const product = (nodes: readonly ChatNode[]): ChatPeer => ({
  name: OURS,
  nodes,
  open: async (_, on, onArrival) => {
    const headers = newVisitor()
    const [one, other] = [ownMessages(onArrival), ownMessages(onArrival)]
    const first = await joinTab(on[0], { headers }, one.onMessage)
    const { sessionId, resumeToken } = first
    const second = await joinTab(on[1], { headers, resume: { sessionId, resumeToken } }, other.onMessage)
    const tabOf = (socket: WebSocket, own: typeof one): Tab => ({
      send: (message, clientMessageId) => {
        own.send(clientMessageId)
        socket.send(JSON.stringify({ type: 'send_message', sessionId, message, clientMessageId }))
      },
      close: () => socket.terminate(),
    })
    return [tabOf(first.socket, one), tabOf(second.socket, other)]
  },
})

/** Names a conversation apart from those of other rounds and processes. */
const conversationName = (number: number) => `${process.pid}-${number}`

/** Bare sockets (`bare-node.cli.ts`). */
export const bare = (name: string, nodes: readonly ChatNode[]): ChatPeer => ({
  name,
  nodes,
  open: async (number, on, onArrival) => {
    const open = async ({ url }: ChatNode): Promise<Tab> => {
      const own = ownMessages(onArrival)
      const joined = Promise.withResolvers<void>()
      const socket = await connectTab(`${socketUrl(url)}/${conversationName(number)}`, {}, (text) => {
        const frame = JSON.parse(text) as Frame
        if (frame.type === 'chat_joined') joined.resolve()
        else own.onMessage(frame.clientMessageId)
      })
      await joined.promise
      return {
        send: (message, id) => {
          own.send(id)
          socket.send(JSON.stringify({ id, message }))
        },
        close: () => socket.terminate(),
      }
    }
    return [await open(on[0]), await open(on[1])]
  },
})

/**
 * Engine.IO 4 and Socket.IO 5 packets, only the part that a client of the benchmark needs: the client costs as much as
 * others.
 */
const OPEN = '0'
const PING = '2'
const PONG = '3'
const CONNECT = '40'
const EVENT = '42'

/** Opens a tab in a conversation of Socket.IO. */
const openSocketIoTab = async (
  { url }: ChatNode,
  conversation: string,
  onArrival: Parameters<typeof ownMessages>[0],
): Promise<Tab> => {
  const own = ownMessages(onArrival)
  const connected = Promise.withResolvers<void>()
  const joined = Promise.withResolvers<void>()
  const emit = (event: string, content: object) => socket.send(EVENT + JSON.stringify([event, content]))
  const onMessage = (text: string) => {
    if (text === PING) return socket.send(PONG)
    if (text.startsWith(CONNECT)) return connected.resolve()
    if (text.startsWith(OPEN)) return
    if (!text.startsWith(EVENT)) throw new Error(`Socket.IO sent ${text}`)
    const [event, { clientMessageId }] = JSON.parse(text.slice(EVENT.length)) as [string, Frame]
    if (event === 'chat_joined') joined.resolve()
    else own.onMessage(clientMessageId)
  }
  const socket = await connectTab(`${socketUrl(url)}/socket.io/?EIO=4&transport=websocket`, {}, onMessage)
  socket.send(CONNECT)
  await connected.promise
  emit('join_chat', { conversation, visitorName: 'Ana' })
  await joined.promise
  return {
    send: (message, id) => {
      own.send(id)
      emit('send_message', { id, message })
    },
    close: () => socket.terminate(),
  }
}

/** Socket.IO, spoken over the same bare client. */
export const socketIo = (name: string, nodes: readonly ChatNode[]): ChatPeer => ({
  name,
  nodes,
  open: async (number, on, onArrival) => {
    const open = (node: ChatNode) => openSocketIoTab(node, conversationName(number), onArrival)
    return [await open(on[0]), await open(on[1])]
  },
})

/** Starts a peer's node on the stores of this benchmark. */
const startPeer = async (script: string, env: Record<string, string>): Promise<ChatNode> => {
  const port = await freePort()
  const { DATABASE_URL = '', REDIS_URL = '' } = process.env
  const { pid, stop } = await startTestProcess(script, { DATABASE_URL, REDIS_URL, PORT: String(port), ...env })
  return { url: `http://127.0.0.1:${port}`, pid, stop }
}

/** Starts a bare node. */
export const startBareNode = (): Promise<ChatNode> => startPeer('api/testing/bare-node.cli.ts', {})

/** Starts a node of Socket.IO; with `keeps` it stores each message by one INSERT. */
export const startSocketIoNode = ({ keeps }: { keeps: boolean }): Promise<ChatNode> =>
  startPeer(peerNode('socket-io'), { KEEPS: keeps ? '1' : '' })
