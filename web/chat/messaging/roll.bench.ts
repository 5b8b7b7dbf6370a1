import process from 'node:process'
import { gatherCrowd, socketsAllowed, until } from '../../../events/local/bench-crowd.ts'
import { type BenchNode, startBenchNode, startBenchNodes } from '../../../events/local/bench-nodes.ts'
import { busiestSecond, figureOf, printTable, quantile } from '../../../events/local/figures.ts'
import { openLines } from '../../testing/chat/lines.ts'

/**
 * A new version under 5,000 visitors who write, as `api/roll.sh` deploys it: new nodes start next to the two old ones,
 * which are then stopped one after the other. BENCH_VISITORS, BENCH_MESSAGES (per second) and BENCH_HANDSHAKES (per
 * second and node) change it.
 *
 * Measured on two cores with 5,000 visitors who write 100 messages/s: 0 lost, doubled or out of order; the nodes
 * stopped within 2.0 and 2.8 s, and all visitors were back 37 s after the first new node; 1,149 handshakes in the
 * busiest second over all nodes (1,000 allowed to each), 2,789 tries.
 */

const VISITORS = socketsAllowed(Number(process.env.BENCH_VISITORS ?? 5_000))
const A_SECOND = Number(process.env.BENCH_MESSAGES ?? 100)
const HANDSHAKES = Number(process.env.BENCH_HANDSHAKES ?? 1_000)

const env = { HANDSHAKES_PER_SECOND: String(HANDSHAKES) }
const { nodes, worker } = await startBenchNodes(env)
let reachable: BenchNode[] = [...nodes]
const pickUrl = () => reachable[Math.floor(Math.random() * reachable.length)]?.url ?? ''
const { record, connect, reset, areAllAt } = openLines(() => reachable.map(({ url }) => url))
const crowd = await gatherCrowd(VISITORS, { pickUrl, connect })

const stopSaying = crowd.keepSaying(A_SECOND)
reset()
const began = performance.now()
const fresh = [await startBenchNode(env), await startBenchNode(env)]
reachable = [...nodes, ...fresh]
const stops: number[] = []
for (const node of nodes) {
  const asked = performance.now()
  await node.stop()
  stops.push(performance.now() - asked)
  reachable = reachable.filter((other) => other !== node)
}
await until('all visitors are back', () => areAllAt(fresh.map(({ url }) => url)))
const seconds = (performance.now() - began) / 1_000
stopSaying()
await crowd.settled()
const { lost, doubled, outOfOrder, other } = await crowd.audit()

const without = (share: number) => figureOf(quantile(record.gaps, share) / 1_000)
printTable(
  [`two nodes rolled under ${VISITORS} visitors and ${A_SECOND} messages/s`, 'figure'],
  [
    ['from the first new node to the last visitor back, s', figureOf(seconds)],
    ['each old node stopped within, s', stops.map((ms) => figureOf(ms / 1_000)).join(', ')],
    ['connections that moved', String(record.closed.length)],
    ['codes that they were closed with', [...new Set(record.closed.map(({ code }) => code))].join(', ')],
    ['handshakes in the busiest second, all nodes', `${busiestSecond(record.opened)}; ${HANDSHAKES} allowed to each`],
    ['tries in the busiest second', String(busiestSecond(record.tries))],
    ['a visitor without connection, p50 and most, s', `${without(0.5)}, ${without(1)}`],
    ['lost, doubled, out of order, otherwise wrong', [lost, doubled, outOfOrder, other].join(', ')],
  ],
)
crowd.close()
await Promise.all([worker, ...fresh].map((each) => each.stop()))
process.exit(lost + doubled + outOfOrder + other === 0 ? 0 : 1)
