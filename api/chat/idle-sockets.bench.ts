import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
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
import { interleaved, seriesOf } from '../../events/local/bench/rounds.ts'
import { socketsAllowed } from '../../events/local/bench-crowd.ts'
import { startBenchNode } from '../../events/local/bench-nodes.ts'
import { figureOf, median, printTable } from '../../events/local/figures.ts'
import { memoryOf } from '../../events/local/test-process.ts'

/**
 * What an idle socket adds to the resident memory of a node: 2,500 chats of two tabs each on one node, beside Socket.IO
 * with the room and the data that a chat needs, and beside bare sockets. Each is measured on a node that has just begun;
 * one conversation has been opened on it before, so that code which is loaded later does not count.
 */

const CHATS = Math.floor(socketsAllowed(paced({ full: 5_000, quick: 400 })) / 2)
const TABS = 2
const ROUNDS = paced({ full: 2, quick: 1 })
/** Garbage of the handshakes is collected when a node has been quiet for a moment. */
const SETTLE_MS = paced({ full: 8_000, report: 5_000, quick: 1_000 })
const FIRST_SETTLE_MS = paced({ full: 3_000, report: 2_000, quick: 1_000 })
const KILOBYTE = 1_000

type Kind = { name: string; start: () => Promise<ChatNode>; peerOf: (nodes: ChatNode[]) => ChatPeer }

const KINDS: Kind[] = [
  { name: OURS, start: () => startBenchNode(), peerOf: product },
  { name: SOCKET_IO, start: () => startSocketIoNode({ keeps: false }), peerOf: (nodes) => socketIo(SOCKET_IO, nodes) },
  { name: BARE_WS, start: startBareNode, peerOf: (nodes) => bare(BARE_WS, nodes) },
]

type Round = { kilobytes: number; nodeBytes: number }

/** What a socket takes, in kilobytes, and the node without it, in bytes. */
const measure = async ({ start, peerOf }: Kind): Promise<Round> => {
  const node = await start()
  const first = await openConversations(peerOf([node]), 1)
  await delay(FIRST_SETTLE_MS)
  const before = await memoryOf(node.pid)
  const conversations = await openConversations(peerOf([node]), CHATS)
  await delay(SETTLE_MS)
  const bytes = (await memoryOf(node.pid)) - before
  for (const each of [first, conversations]) each.close()
  await node.stop()
  return { kilobytes: bytes / (CHATS * TABS) / KILOBYTE, nodeBytes: before }
}

await installPeers()
const names = KINDS.map(({ name }) => name)
const rounds = await interleaved(KINDS, ROUNDS, measure, { warmsUp: false })
reportSeries(
  'idle-socket',
  seriesOf(names, rounds, ({ kilobytes }) => kilobytes),
)
// what the model is made of
reportSeries('model-node-memory', { [OURS]: (rounds[0] ?? []).map(({ nodeBytes }) => nodeBytes) })
printTable(
  [`${CHATS * TABS} idle sockets on a node`, 'kB a socket', 'of Socket.IO'],
  names.map((name, index) => {
    const own = (rounds[index] ?? []).map(({ kilobytes }) => kilobytes)
    const ratio = median(own.map((value, round) => value / (rounds[1]?.[round]?.kilobytes ?? Number.NaN)))
    return [name, figureOf(median(own)), ratio.toFixed(2)]
  }),
)
process.exit(0)
