import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { type BenchNode, signInToBench, somebody, startBenchNodes } from '../../events/local/bench-nodes.ts'
import { figureOf, printTable } from '../../events/local/figures.ts'
import { fillActiveChats } from '../../events/local/fill-active-chats.ts'
import { openLedger } from '../../events/local/soak/ledger.ts'
import { type Line, openLine } from '../../events/local/soak/line.ts'
import { openVisitor, type Visitor } from '../../events/local/soak/visitor.ts'
import { memoryOf } from '../../events/local/test-process.ts'

/**
 * Many sockets: 10,000 idle ones on two nodes, then a deployment of both nodes under 5,000 visitors who write, and what a
 * console is sent when it joins beside 10,000 chats. BENCH_SOCKETS and BENCH_VISITORS make them fewer.
 */

const SOCKETS = Number(process.env.BENCH_SOCKETS ?? 10_000)
const VISITORS = Number(process.env.BENCH_VISITORS ?? 5_000)
const CHATS = 10_000
const KIB = 1024
const POLL_MS = 50
const OPENED_AT_ONCE = 200
const PATIENCE_MS = 180_000

const until = async (what: string, isSo: () => boolean) => {
  const deadline = performance.now() + PATIENCE_MS
  while (!isSo()) {
    if (performance.now() > deadline) throw new Error(`${what} has not come true within ${PATIENCE_MS / 1_000} s`)
    await delay(POLL_MS)
  }
}

/** The most moments that lie in any one second. */
const busiestSecond = (moments: number[]) => {
  let most = 0
  for (let first = 0, last = 0; last < moments.length; last += 1) {
    while ((moments[last] ?? 0) - (moments[first] ?? 0) >= 1_000) first += 1
    most = Math.max(most, last - first + 1)
  }
  return most
}

const memoryOfBoth = async (nodes: BenchNode[]) =>
  (await Promise.all(nodes.map((node) => memoryOf(node.pid())))).reduce((sum, bytes) => sum + bytes, 0)

const idle = async (nodes: BenchNode[]) => {
  const before = await memoryOfBoth(nodes)
  const began = performance.now()
  const lines: Line[] = []
  let open = 0
  for (let index = 0; index < SOCKETS; index += 1) {
    const { url = '' } = nodes[index % nodes.length] ?? {}
    const onOpen = () => {
      open += 1
    }
    lines.push(openLine({ headers: somebody(), pickUrl: () => url, onOpen, onFrame: () => {}, onClose: () => {} }))
    if (index % OPENED_AT_ONCE === 0) await until('sockets are open', () => lines.length - open < 2 * OPENED_AT_ONCE)
  }
  await until('all sockets are open', () => open >= SOCKETS)
  const seconds = (performance.now() - began) / 1_000
  const bytes = ((await memoryOfBoth(nodes)) - before) / SOCKETS
  for (const line of lines) line.close()
  return [
    `${SOCKETS} idle sockets on two nodes`,
    `opened in ${figureOf(seconds)} s`,
    `${(bytes / KIB).toFixed(0)} KiB each`,
  ]
}

const deploy = async (nodes: BenchNode[]) => {
  const ledger = openLedger()
  const urls = nodes.map(({ url }) => url)
  const pickUrl = () => urls[Math.floor(Math.random() * urls.length)] ?? ''
  const visitors: Visitor[] = []
  const moments: number[] = []
  for (let index = 0; index < VISITORS; index += 1) {
    visitors.push(openVisitor({ name: `Visitor ${index}`, ledger, headers: somebody(), pickUrl }))
    visitors[index]?.say(`first ${index}`)
    if (index % OPENED_AT_ONCE === 0)
      await until('visitors are in', () => visitors.filter(({ unsent }) => unsent > 0).length < 2 * OPENED_AT_ONCE)
  }
  await until('all visitors are in', () => visitors.every(({ unsent }) => unsent === 0))
  const handshakes = () => visitors.reduce((sum, visitor) => sum + visitor.handshakes, 0)
  const start = handshakes()
  let known = start
  const counting = setInterval(() => {
    const now = handshakes()
    for (; known < now; known += 1) moments.push(performance.now())
  }, POLL_MS)
  let said = 0
  const writing = setInterval(() => {
    for (let each = 0; each < 5; each += 1) {
      said += 1
      visitors[said % VISITORS]?.say(`later ${said}`)
    }
  }, POLL_MS)
  const began = performance.now()
  for (const node of nodes) {
    await node.restart()
    await until('visitors are back', () => visitors.every(({ unsent }) => unsent === 0))
  }
  const seconds = (performance.now() - began) / 1_000
  clearInterval(writing)
  await until('all is accepted', () => visitors.every(({ unsent }) => unsent === 0))
  await until(
    'all is shown',
    () => visitors.reduce((sum, { shown }) => sum + shown.length, 0) === ledger.messages.length,
  )
  clearInterval(counting)
  for (const visitor of visitors) visitor.close()
  return [
    `both nodes deployed under ${VISITORS} visitors, ${said} messages meanwhile`,
    `${figureOf(seconds)} s, at most ${busiestSecond(moments)} reconnects in a second`,
    `${ledger.flaws.length} lost, doubled or out of order`,
  ]
}

const join = async (node: BenchNode) => {
  await fillActiveChats(process.env.DATABASE_URL ?? '', CHATS)
  const headers = { ...(await signInToBench(node)) }
  const began = performance.now()
  const listed = Promise.withResolvers<number>()
  const line = openLine({
    headers,
    pickUrl: () => node.url,
    onOpen: () => line.send({ type: 'join_admin' }),
    onFrame: (frame) => {
      if (frame.type === 'active_sessions') listed.resolve(JSON.stringify(frame).length)
    },
    onClose: () => {},
  })
  const bytes = await listed.promise
  const ms = performance.now() - began
  line.close()
  return [
    `a console joins beside ${CHATS} chats that go on`,
    `${figureOf(ms)} ms`,
    `${(bytes / KIB).toFixed(0)} KiB sent`,
  ]
}

const { nodes, stop } = await startBenchNodes()
const rows = [await idle(nodes), await deploy(nodes), await join(nodes[0])]
printTable(['what', 'figure', ''], rows)
await stop()
process.exit(0)
