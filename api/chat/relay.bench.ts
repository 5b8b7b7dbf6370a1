import process from 'node:process'
import {
  bare,
  type ChatPeer,
  product,
  socketIo,
  startBareNode,
  startSocketIoNode,
} from '../../events/local/bench/chat-tabs.ts'
import { BARE_CHAT, SOCKET_IO, SOCKET_IO_INSERT, WITH_WORKER } from '../../events/local/bench/claims.ts'
import { openConversations } from '../../events/local/bench/conversations.ts'
import { aUnit, type Cost } from '../../events/local/bench/cost.ts'
import { openMeter } from '../../events/local/bench/meter.ts'
import { installPeers } from '../../events/local/bench/peers.ts'
import { paced, reportSeries } from '../../events/local/bench/reported.ts'
import { interleaved, LEAD_IN_MS, seriesOf } from '../../events/local/bench/rounds.ts'
import { startBenchNode, startBenchWorker } from '../../events/local/bench-nodes.ts'
import { quantile } from '../../events/local/figures.ts'
import { connect } from '../../events/stores/connection.ts'

/**
 * Messages of chats over two nodes, from the send in one tab of a visitor to the arrival in another tab on the other
 * node. Each conversation sends its next message once the last one has arrived. Compared in the same run, with the same
 * clients: bare sockets with Redis and a group commit (bare-node.cli.ts), which is the limit, and Socket.IO with its
 * Redis adapter, with one INSERT per message and with nothing stored. The peers have no views, so no worker runs with them; at the end the
 * product is measured again with a worker, which fills the list of chats and the search.
 */

const CONVERSATIONS = paced({ full: 200, quick: 20 })
const ROUND_MS = paced({ full: 2_000, report: 1_500, quick: 500 })
const ROUNDS = paced({ full: 5, report: 4, quick: 1 })
const STEADY_PER_SECOND = paced({ full: 500, quick: 50 })

type Round = { perSecond: number; p99: number; cost: Cost }

const meter = await openMeter()

/** One round, in new conversations; without `perSecond` each conversation runs as fast as it can. */
const measure = async (peer: ChatPeer, perSecond?: number): Promise<Round> => {
  const conversations = await openConversations(peer, CONVERSATIONS)
  const pids = peer.nodes.map(({ pid }) => pid)
  await conversations.talk(LEAD_IN_MS, perSecond)
  const { result, cost } = await meter.during(pids, () => conversations.talk(ROUND_MS, perSecond))
  const { latencies, seconds } = result
  conversations.close()
  return {
    perSecond: latencies.length / seconds,
    p99: quantile(latencies, 0.99),
    cost: aUnit(cost, latencies.length),
  }
}

await installPeers()
const sql = connect(process.env.DATABASE_URL ?? '', { max: 1, name: 'bench' })
await sql`create table bare_messages (
  position bigint generated always as identity primary key, conversation text, id text, message text)`
const two = async (start: () => ReturnType<typeof startBareNode>) => [await start(), await start()]
const ours = product(await two(startBenchNode))
const peers = [
  ours,
  bare(BARE_CHAT, await two(startBareNode)),
  socketIo(SOCKET_IO_INSERT, await two(() => startSocketIoNode({ keeps: true }))),
  socketIo(SOCKET_IO, await two(() => startSocketIoNode({ keeps: false }))),
]
const names = [...peers.map(({ name }) => name), WITH_WORKER]
const measured: Record<'fast' | 'steady', Round[][]> = {
  fast: await interleaved(peers, ROUNDS, (peer) => measure(peer)),
  steady: await interleaved(peers, ROUNDS, (peer) => measure(peer, STEADY_PER_SECOND)),
}
const worker = await startBenchWorker()
measured.fast.push(...(await interleaved([ours], ROUNDS, (peer) => measure(peer))))
measured.steady.push(...(await interleaved([ours], ROUNDS, (peer) => measure(peer, STEADY_PER_SECOND))))
reportSeries(
  'chat-speed',
  seriesOf(names, measured.fast, ({ perSecond }) => perSecond),
  seriesOf(names, measured.fast, ({ cost }) => cost),
)
reportSeries(
  'chat-p99',
  seriesOf(names, measured.steady, ({ p99 }) => p99),
  seriesOf(names, measured.steady, ({ cost }) => cost),
)
await Promise.all([worker, ...peers.flatMap(({ nodes }) => nodes)].map((each) => each.stop()))
await sql.end()
process.exit(0)
