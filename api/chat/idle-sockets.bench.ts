import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { SECOND_MS } from '../../events/base/time.ts'
import {
  bare,
  type ChatNode,
  type ChatPeer,
  product,
  socketIo,
  startBareNode,
  startSocketIoNode,
} from '../../events/local/bench/chat-tabs.ts'
import { BARE_WS, SOCKET_IO } from '../../events/local/bench/claims.ts'
import { openConversations } from '../../events/local/bench/conversations.ts'
import { installPeers } from '../../events/local/bench/peers.ts'
import { OURS, paced, reportSeries } from '../../events/local/bench/reported.ts'
import { seriesOf } from '../../events/local/bench/rounds.ts'
import { socketsAllowed } from '../../events/local/bench-crowd.ts'
import { startBenchNode } from '../../events/local/bench-nodes.ts'
import { memoryOf } from '../../events/testing/process.ts'

/**
 * The resident memory that an idle socket adds to a node: 2,500 chats of two tabs each on one node, compared with
 * Socket.IO with the room and the data that a chat needs, and with bare sockets. All three are measured side by side,
 * each on a node that has just started; one conversation has been opened on it before, so that code loaded later does
 * not count. Counts the least resident memory seen while the node is idle: garbage of the handshakes is collected then.
 */

const KIND_COUNT = 3
const TABS = 2
const SOCKETS = paced({ full: 5_000, quick: 400 })
const CHATS = Math.floor(socketsAllowed(KIND_COUNT * SOCKETS) / KIND_COUNT / TABS)
const ROUNDS = paced({ full: 3, report: 2, quick: 1 })
/** An idle node releases memory within a minute (`api/process/heap.ts`), also before the sockets connect. */
const SETTLE_S = paced({ full: 60, quick: 2 })
const FIRST_SETTLE_S = paced({ full: 50, quick: 1 })
const KILOBYTE = 1_000

type Kind = { name: string; start: () => Promise<ChatNode>; peerOf: (nodes: ChatNode[]) => ChatPeer }

const KINDS: Kind[] = [
  { name: OURS, start: () => startBenchNode(), peerOf: product },
  { name: SOCKET_IO, start: () => startSocketIoNode({ keeps: false }), peerOf: (nodes) => socketIo(SOCKET_IO, nodes) },
  { name: BARE_WS, start: startBareNode, peerOf: (nodes) => bare(BARE_WS, nodes) },
]

type Round = { kilobytes: number; nodeBytes: number }

/** The least memory that each process holds within some seconds, in bytes. */
const leastMemory = async (pids: readonly number[], seconds: number): Promise<number[]> => {
  let least = pids.map(() => Number.POSITIVE_INFINITY)
  for (let second = 0; second < seconds; second += 1) {
    await delay(SECOND_MS)
    const now = await Promise.all(pids.map(memoryOf))
    least = least.map((bytes, index) => Math.min(bytes, now[index] ?? bytes))
  }
  return least
}

/** The memory of a socket of each kind, in kilobytes, and of its node without it, in bytes. */
const measure = async (): Promise<Round[]> => {
  const nodes: ChatNode[] = []
  for (const { start } of KINDS) nodes.push(await start())
  const peers = nodes.map((node, index) => KINDS[index]?.peerOf([node])).filter((peer) => peer !== undefined)
  const pids = nodes.map(({ pid }) => pid)
  const open = await Promise.all(peers.map((peer) => openConversations(peer, 1)))
  const before = await leastMemory(pids, FIRST_SETTLE_S)
  for (const peer of peers) open.push(await openConversations(peer, CHATS))
  const after = await leastMemory(pids, SETTLE_S)
  for (const conversations of open) conversations.close()
  await Promise.all(nodes.map((node) => node.stop()))
  return before.map((nodeBytes, index) => {
    const bytes = (after[index] ?? Number.NaN) - nodeBytes
    return { kilobytes: bytes / (CHATS * TABS) / KILOBYTE, nodeBytes }
  })
}

await installPeers()
const names = KINDS.map(({ name }) => name)
const rounds: Round[][] = KINDS.map(() => [])
for (let round = 0; round < ROUNDS; round += 1) {
  for (const [index, measured] of (await measure()).entries()) rounds[index]?.push(measured)
}
reportSeries(
  'idle-socket',
  seriesOf(names, rounds, ({ kilobytes }) => kilobytes),
)
// the input of the model
reportSeries('model-node-memory', { [OURS]: (rounds[0] ?? []).map(({ nodeBytes }) => nodeBytes) })
process.exit(0)
