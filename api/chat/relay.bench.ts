import { once } from 'node:events'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { type BenchNode, somebody, startBenchNodes } from '../../events/local/bench-nodes.ts'
import { figureOf, median, printTable, quantile } from '../../events/local/figures.ts'
import { freePort } from '../../events/local/port.ts'
import { processorTimeOf } from '../../events/local/processor.ts'
import { startTestProcess } from '../../events/local/test-process.ts'
import { connect } from '../../events/log/connection.ts'

/**
 * Messages of chats over two nodes, from the send in one tab of a visitor to its arrival in another tab on the other
 * node. Each conversation sends its next message once the last one has arrived. Beside it in the same run, with the same
 * clients: bare sockets with Redis and a group commit (bare-node.cli.ts), which is the limit. What a message takes of the
 * nodes' processors says more than its speed where other work goes on beside.
 */

const CONVERSATIONS = 200
const ROUND_MS = 2_000
const ROUNDS = 5
const STEADY_PER_SECOND = 500
const TEXT = 'Do you also build shops, and what would one with thirty products cost?'

const databaseUrl = process.env.DATABASE_URL ?? ''

type Tab = { send: (text: string, id: string) => void; close: () => void }
type OnArrival = (id: string) => void
type Conversation = [Tab, Tab]
/** Opens a conversation: a tab on each of two nodes. `onArrival` is called by either for what the other has sent. */
type Peer = {
  name: string
  pids: number[]
  open: (number: number, onArrival: OnArrival) => Promise<Conversation>
}

type Node = Pick<BenchNode, 'url' | 'pid' | 'stop'>
type Nodes = readonly [Node, Node]
type Frame = { type: string; clientMessageId?: string; sessionId?: string; resumeToken?: string; code?: string }

const socketUrl = (url: string) => url.replace('http', 'ws')

const connectTab = async (url: string, headers: Record<string, string>, onFrame: (frame: Frame) => void) => {
  const socket = new WebSocket(url, { headers, perMessageDeflate: false })
  socket.on('message', (data) => onFrame(JSON.parse(data.toString()) as Frame))
  await once(socket, 'open')
  return socket
}

/** Starts a bare node. */
const startBareNode = async (): Promise<Node> => {
  const port = await freePort()
  const { pid, stop } = await startTestProcess('api/chat/bare-node.cli.ts', {
    DATABASE_URL: databaseUrl,
    REDIS_URL: process.env.REDIS_URL ?? '',
    PORT: String(port),
  })
  return { url: `http://127.0.0.1:${port}`, pid, stop }
}

/** A tab of the product: it joins, and resolves once it has. */
const joinTab = async (
  { url }: Node,
  { headers, resume }: { headers: Record<string, string>; resume?: object },
  onMessage: (id: string) => void,
) => {
  const joined = Promise.withResolvers<Frame>()
  const socket = await connectTab(`${socketUrl(url)}/ws`, headers, (frame) => {
    if (frame.type === 'chat_joined') joined.resolve(frame)
    else if (frame.type === 'new_message') onMessage(frame.clientMessageId ?? '')
    else if (frame.type === 'error') throw new Error(`A node refused: ${frame.code}`)
  })
  socket.send(JSON.stringify({ type: 'join_chat', visitorName: 'Ana', visitorEmail: '', pageUrl: '/', ...resume }))
  const { sessionId = '', resumeToken = '' } = await joined.promise
  return { socket, sessionId, resumeToken }
}

const product = (nodes: Nodes): Peer => ({
  name: 'this product',
  pids: nodes.map(({ pid }) => pid),
  open: async (_, onArrival) => {
    const headers = somebody()
    const own = [new Set<string>(), new Set<string>()] as const
    const hear = (tab: 0 | 1) => (id: string) => {
      if (!own[tab].has(id)) onArrival(id)
    }
    const first = await joinTab(nodes[0], { headers }, hear(0))
    const { sessionId, resumeToken } = first
    const second = await joinTab(nodes[1], { headers, resume: { sessionId, resumeToken } }, hear(1))
    const tabOf = (socket: WebSocket, tab: 0 | 1): Tab => ({
      send: (message, clientMessageId) => {
        own[tab].add(clientMessageId)
        socket.send(JSON.stringify({ type: 'send_message', sessionId, message, clientMessageId }))
      },
      close: () => socket.terminate(),
    })
    return [tabOf(first.socket, 0), tabOf(second.socket, 1)]
  },
})

const bare = (nodes: Nodes): Peer => ({
  name: 'bare ws, Redis, group commit',
  pids: nodes.map(({ pid }) => pid),
  open: async (number, onArrival) => {
    const open = async ({ url }: Node): Promise<Tab> => {
      const own = new Set<string>()
      const joined = Promise.withResolvers<void>()
      const socket = await connectTab(`${socketUrl(url)}/${process.pid}-${number}`, {}, (frame) => {
        if (frame.type === 'chat_joined') joined.resolve()
        else if (!own.has(frame.clientMessageId ?? '')) onArrival(frame.clientMessageId ?? '')
      })
      await joined.promise
      return {
        send: (message, id) => {
          own.add(id)
          socket.send(JSON.stringify({ id, message }))
        },
        close: () => socket.terminate(),
      }
    }
    return [await open(nodes[0]), await open(nodes[1])]
  },
})

type Round = { perSecond: number; p99: number; cpu: number }

/** One round; without `perSecond` each conversation goes as fast as it can. */
const measure = async (peer: Peer, perSecond?: number): Promise<Round> => {
  const latencies: number[] = []
  const arrivals = new Map<string, () => void>()
  const conversations: Conversation[] = []
  for (let number = 0; number < CONVERSATIONS; number += 1)
    conversations.push(await peer.open(number, (id) => arrivals.get(id)?.()))
  const cpuBefore = processorTimeOf(peer.pids)
  const begin = performance.now()
  const pauseMs = perSecond === undefined ? 0 : (CONVERSATIONS / perSecond) * 1000
  const talk = async (tabs: Conversation, number: number) => {
    if (pauseMs) await delay((pauseMs * number) / CONVERSATIONS)
    for (let count = 0; performance.now() - begin < ROUND_MS; count += 1) {
      const id = `${number}-${count}`
      const sent = performance.now()
      const arrived = new Promise<void>((resolve) => arrivals.set(id, resolve))
      tabs[count % 2]?.send(TEXT, id)
      await arrived
      arrivals.delete(id)
      const took = performance.now() - sent
      latencies.push(took)
      if (pauseMs > took) await delay(pauseMs - took)
    }
  }
  await Promise.all(conversations.map(talk))
  const seconds = (performance.now() - begin) / 1000
  const cpu = (processorTimeOf(peer.pids) - cpuBefore) / latencies.length
  for (const tab of conversations.flat()) tab.close()
  return { perSecond: latencies.length / seconds, p99: quantile(latencies, 0.99), cpu }
}

const sql = connect(databaseUrl, { max: 1, name: 'bench' })
await sql`create table bare_messages (
  position bigint generated always as identity primary key, conversation text, id text, message text)`
const { nodes, stop } = await startBenchNodes()
const bareNodes = [await startBareNode(), await startBareNode()] as const
const peers = [product(nodes), bare(bareNodes)]
const rows: string[][] = []
for (const perSecond of [undefined, STEADY_PER_SECOND]) {
  const rounds: Round[][] = []
  for (let round = -1; round < ROUNDS; round += 1) {
    const results: Round[] = []
    for (const peer of peers) results.push(await measure(peer, perSecond))
    if (round >= 0) rounds.push(results)
  }
  for (const [index, peer] of peers.entries()) {
    const of = (figure: keyof Round) => rounds.map((results) => results[index]?.[figure] ?? 0)
    const ratio = (figure: keyof Round) =>
      median(rounds.map((results) => (results[index]?.[figure] ?? 0) / (results[1]?.[figure] ?? 1))).toFixed(2)
    rows.push([
      `${peer.name}, ${perSecond ? `${perSecond}/s` : 'as fast as it goes'}`,
      median(of('perSecond')).toFixed(0),
      ratio('perSecond'),
      `${figureOf(median(of('p99')))} ms`,
      ratio('p99'),
      `${median(of('cpu')).toFixed(0)} µs`,
    ])
  }
}
printTable(
  ['messages over two nodes', 'messages/s', 'of the limit', 'p99', 'of the limit', 'CPU of nodes a message'],
  rows,
)
await Promise.all([stop(), ...bareNodes.map((node) => node.stop())])
await sql.end()
