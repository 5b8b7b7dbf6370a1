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
import { installPeers } from '../../events/local/bench/peers.ts'
import { paced, reportSeries } from '../../events/local/bench/reported.ts'
import { interleaved, seriesOf } from '../../events/local/bench/rounds.ts'
import { startBenchNode, startBenchWorker } from '../../events/local/bench-nodes.ts'
import { figureOf, median, printTable, quantile } from '../../events/local/figures.ts'
import { processorTimeOf } from '../../events/local/processor.ts'
import { connect } from '../../events/stores/connection.ts'

/**
 * Messages of chats over two nodes, from the send in one tab of a visitor to the arrival in another tab on the other
 * node. Each conversation sends its next message once the last one has arrived. Compared in the same run, with the same
 * clients: bare sockets with Redis and a group commit (bare-node.cli.ts), which is the limit, and Socket.IO with its
 * Redis adapter, with one INSERT per message and with nothing stored. The processor time of the nodes says more than
 * the speed if other work runs at the same time. The peers have no views, so no worker runs with them; at the end the
 * product is measured again with a worker, which fills the list of chats and the search.
 */

const CONVERSATIONS = paced({ full: 200, quick: 20 })
const ROUND_MS = paced({ full: 2_000, report: 1_500, quick: 500 })
const ROUNDS = paced({ full: 5, report: 4, quick: 1 })
const STEADY_PER_SECOND = paced({ full: 500, quick: 50 })

type Round = { perSecond: number; p99: number; cpu: number }

/** One round, in conversations that have just begun; without `perSecond` each conversation runs as fast as it can. */
const measure = async (peer: ChatPeer, perSecond?: number): Promise<Round> => {
  const pids = peer.nodes.map(({ pid }) => pid)
  const conversations = await openConversations(peer, CONVERSATIONS)
  const cpuBefore = processorTimeOf(pids)
  const { latencies, seconds } = await conversations.talk(ROUND_MS, perSecond)
  const cpu = (processorTimeOf(pids) - cpuBefore) / latencies.length
  conversations.close()
  return { perSecond: latencies.length / seconds, p99: quantile(latencies, 0.99), cpu }
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
const measured = new Map<number | undefined, Round[][]>()
const PACES = [undefined, STEADY_PER_SECOND]
for (const perSecond of PACES) {
  measured.set(perSecond, await interleaved(peers, ROUNDS, (peer) => measure(peer, perSecond)))
}
const worker = await startBenchWorker()
for (const perSecond of PACES) {
  const [rounds = []] = await interleaved([ours], ROUNDS, (peer) => measure(peer, perSecond))
  measured.get(perSecond)?.push(rounds)
}
const rows: string[][] = []
for (const [perSecond, rounds] of measured) {
  if (perSecond === undefined) {
    reportSeries(
      'chat-speed',
      seriesOf(names, rounds, (round) => round.perSecond),
    )
  } else {
    reportSeries(
      'chat-p99',
      seriesOf(names, rounds, (round) => round.p99),
    )
  }
  for (const [index, name] of names.entries()) {
    const of = (figure: keyof Round) => (rounds[index] ?? []).map((round) => round[figure])
    const ofLimit = (figure: keyof Round) =>
      median(of(figure).map((value, round) => value / (rounds[1]?.[round]?.[figure] ?? Number.NaN))).toFixed(2)
    rows.push([
      `${name}, ${perSecond ? `${perSecond}/s` : 'as fast as it goes'}`,
      median(of('perSecond')).toFixed(0),
      ofLimit('perSecond'),
      `${figureOf(median(of('p99')))} ms`,
      ofLimit('p99'),
      `${median(of('cpu')).toFixed(0)} µs`,
    ])
  }
}
printTable(
  ['messages over two nodes', 'messages/s', 'of the limit', 'p99', 'of the limit', 'CPU of nodes a message'],
  rows,
)
await Promise.all([worker, ...peers.flatMap(({ nodes }) => nodes)].map((each) => each.stop()))
await sql.end()
process.exit(0)
