import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { newVisitor, signInToBench, startBenchNodes } from '../../events/local/bench-nodes.ts'
import { figureOf, printTable, quantile } from '../../events/local/figures.ts'
import { openLedger } from '../../events/testing/soak/ledger.ts'
import { openLine } from '../../events/testing/soak/line.ts'
import { openVisitor } from '../../events/testing/soak/visitor.ts'

/**
 * 500 messages a second from visitors on one node to a console on the other: the time until each is stored, published
 * through Redis and shown. BENCH_SECONDS=300 runs for 5 minutes; BENCH_MESSAGES changes the rate per second.
 *
 * Measured on two cores with BENCH_SECONDS=300: p50 4.5 ms, p99 22.0 ms, 90 ms at most; 150,000 shown, none missing.
 */

const SECONDS = Number(process.env.BENCH_SECONDS ?? 20)
const A_SECOND = Number(process.env.BENCH_MESSAGES ?? 500)
const MESSAGES_PER_VISITOR = 0.8
const TICK_MS = 10
const SETTLE_MS = 5_000
const POLL_MS = 20
const WARM_UP_S = 3

const { nodes, stop } = await startBenchNodes()
const [ofVisitors, ofStaff] = nodes
const ledger = openLedger()
const sentAt = new Map<string, number>()
const took: number[] = []
const headers = await signInToBench(ofStaff)
let isJoined = false
const activity = openLine({
  headers,
  pickUrl: () => ofStaff.url,
  onOpen: () => activity.send({ type: 'join_admin' }),
  onFrame: (frame) => {
    if (frame.type === 'active_sessions') isJoined = true
    if (frame.type !== 'new_message') return
    const at = sentAt.get(frame.message)
    if (at !== undefined) took.push(performance.now() - at)
    sentAt.delete(frame.message)
  },
  onClose: () => {},
})
while (!isJoined) await delay(POLL_MS)

const visitors = Array.from({ length: Math.ceil(A_SECOND / MESSAGES_PER_VISITOR) }, (_, index) =>
  openVisitor({ name: `Visitor ${index}`, ledger, headers: newVisitor(), pickUrl: () => ofVisitors.url }),
)
while (visitors.some(({ sessionId }) => sessionId === undefined)) await delay(POLL_MS)

let said = 0
const began = performance.now()
const writing = setInterval(() => {
  const seconds = (performance.now() - began) / 1_000
  for (; said < seconds * A_SECOND; said += 1) {
    const text = `message ${said}`
    if (seconds > WARM_UP_S) sentAt.set(text, performance.now())
    visitors[said % visitors.length]?.say(text)
  }
}, TICK_MS)
await delay((SECONDS + WARM_UP_S) * 1_000)
clearInterval(writing)
const deadline = performance.now() + SETTLE_MS
while (sentAt.size > 0 && performance.now() < deadline) await delay(POLL_MS)

printTable(
  ['messages a second, across nodes', 'for s', 'shown', 'not shown', 'p50 ms', 'p99 ms', 'most ms', 'flaws'],
  [
    [
      String(A_SECOND),
      String(SECONDS),
      String(took.length),
      String(sentAt.size),
      figureOf(quantile(took, 0.5)),
      figureOf(quantile(took, 0.99)),
      figureOf(quantile(took, 1)),
      String(ledger.flaws.length),
    ],
  ],
)
activity.close()
for (const visitor of visitors) visitor.close()
await stop()
process.exit(0)
