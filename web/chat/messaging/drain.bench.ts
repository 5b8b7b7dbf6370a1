import process from 'node:process'
import { gatherCrowd, socketsAllowed, until } from '../../../events/local/bench-crowd.ts'
import { startBenchNodes } from '../../../events/local/bench-nodes.ts'
import { busiestSecond, figureOf, printTable, quantile } from '../../../events/local/figures.ts'
import { memoryOf } from '../../../events/testing/process.ts'
import { openLines } from '../../testing/chat/lines.ts'

/**
 * 20,000 visitors on one node, which is stopped while many of them write. The proxy in front knows both nodes
 * throughout, and passes a socket on if one of them does not accept it. One process may have no more sockets than its
 * system allows files (`ulimit -Hn`); the benchmark takes at most that many. BENCH_SOCKETS reduces their number,
 * BENCH_HANDSHAKES is the number of handshakes that a node accepts per second.
 *
 * Measured with 19,800 visitors and 2,000 messages under way, on two cores that are the visitors' too: 0 lost, doubled
 * or out of order; all closed with 1012 after 7.6 s, ended with status 0 after 8.6 s (10 allowed); 1,801 handshakes in
 * the busiest second (2,000 allowed), 6,938 tries; all back after 126 s. With 6,000 visitors: ended after 4.3 s, back
 * after 19 s.
 */

const SOCKETS = socketsAllowed(Number(process.env.BENCH_SOCKETS ?? 20_000))
const HANDSHAKES = Number(process.env.BENCH_HANDSHAKES ?? 2_000)
const UNDER_WAY = 2_000
const GIB = 1024 ** 3

const { nodes, worker } = await startBenchNodes({ HANDSHAKES_PER_SECOND: String(HANDSHAKES) })
const [leaving, staying] = nodes
let urls = [leaving.url]
const pickUrl = () => urls[Math.floor(Math.random() * urls.length)] ?? ''
const { record, connect, reset, areAllAt } = openLines(() => urls)
const gathering = performance.now()
const crowd = await gatherCrowd(SOCKETS, { pickUrl, connect })
process.stdout.write(`  gathered in ${figureOf((performance.now() - gathering) / 1_000)} s\n`)
const memory = await memoryOf(leaving.pid)

urls = [leaving.url, staying.url]
reset()
crowd.say(UNDER_WAY)
const asked = performance.now()
await leaving.stop()
const stopped = performance.now() - asked
await until('all visitors are back', () => areAllAt([staying.url]))
const seconds = (performance.now() - asked) / 1_000
await crowd.settled()
const { lost, doubled, outOfOrder, other } = await crowd.audit()

const left = record.closed.filter(({ url }) => url === leaving.url)
const leftAt = left.map(({ at }) => at - asked)
const codes = Map.groupBy(left, ({ code }) => code)
const ofGaps = (share: number) => figureOf(quantile(record.gaps, share) / 1_000)
printTable(
  [`${SOCKETS} visitors on one node, which stops while ${UNDER_WAY} messages are under way`, 'figure'],
  [
    ['memory of the node before, GiB', figureOf(memory / GIB)],
    ['the node ended, with status 0, after s', figureOf(stopped / 1_000)],
    [
      'half, and all, of the sockets closed after s',
      [0.5, 1].map((of) => figureOf(quantile(leftAt, of) / 1_000)).join(', '),
    ],
    ['closed in the busiest second', String(busiestSecond(leftAt))],
    ['closed with code', [...codes].map(([code, all]) => `${code}: ${all.length}`).join(', ')],
    ['all were back after s', figureOf(seconds)],
    ['handshakes in the busiest second', `${busiestSecond(record.opened)}; ${HANDSHAKES} allowed`],
    ['tries in the busiest second', String(busiestSecond(record.tries))],
    ['a visitor without connection, p50 and most, s', `${ofGaps(0.5)}, ${ofGaps(1)}`],
    ['lost, doubled, out of order, otherwise wrong', [lost, doubled, outOfOrder, other].join(', ')],
    ['errors in the log of the node', String(leaving.printed().split('\n').length - 1)],
  ],
)
process.stderr.write(leaving.printed().slice(0, 2_000))
crowd.close()
await Promise.all([worker, staying].map((each) => each.stop()))
process.exit(lost + doubled + outOfOrder + other === 0 ? 0 : 1)
