import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { gatherCrowd, socketsAllowed } from '../../../events/local/bench-crowd.ts'
import { BENCH_ORIGIN, type BenchNode, STAFF, startBenchNodes } from '../../../events/local/bench-nodes.ts'
import { launchBrowser } from '../../../events/local/chromium.ts'
import { figureOf, median, printTable } from '../../../events/local/figures.ts'
import { processorTimeOf } from '../../../events/local/processor.ts'
import { memoryOf, privateMemoryOf } from '../../../events/testing/process.ts'
import { openLines } from '../../testing/chat/lines.ts'

/**
 * 10,000 visitors in chats on two nodes: the cost of the nodes while nobody writes, pings included, then the cost of a
 * console in a browser to open, and to stay open while all of them write. BENCH_SOCKETS reduces their number,
 * BENCH_SECONDS changes the idle time.
 *
 * Measured on two cores: a console opens in 0.24 s (median), 0.30 s at most; none of 10,000 messages lost or doubled;
 * heap 5.0 MiB, 8.9 afterwards; its process alone 76 MiB, 92 afterwards; a node of 5,000 idle sockets takes 6 % of a
 * core.
 */

const SOCKETS = socketsAllowed(Number(process.env.BENCH_SOCKETS ?? 10_000))
/** Two pings of each socket. */
const IDLE_S = Number(process.env.BENCH_SECONDS ?? 60)
const SAMPLES = 12
const OPENINGS = 5
const SAID_PER_SECOND = 200
/** A list that has not grown for this long is complete. */
const QUIET_MS = 3_000
const KIB = 1024
const MIB = 1024 * KIB

const heapOf = async ({ url }: BenchNode) => {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/^nodejs_heap_size_used_bytes\S* (\d+)/m.exec(text)?.[1])
}

/** The memory and processor time of a node; of the heap the least seen, since garbage comes and goes. */
const watch = async (node: BenchNode) => {
  const cpu = processorTimeOf([node.pid])
  let heap = Number.POSITIVE_INFINITY
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    await delay((IDLE_S * 1_000) / SAMPLES)
    heap = Math.min(heap, await heapOf(node))
  }
  const used = (processorTimeOf([node.pid]) - cpu) / 1_000_000 / IDLE_S
  return { resident: await memoryOf(node.pid), heap, used }
}

const { nodes, stop } = await startBenchNodes()
const before = await Promise.all(
  nodes.map(async (node) => ({ resident: await memoryOf(node.pid), heap: await heapOf(node) })),
)
const { record, connect, reset } = openLines(() => nodes.map(({ url }) => url))
let turn = 0
const pickUrl = () => nodes[turn++ % nodes.length]?.url ?? ''
const began = performance.now()
const crowd = await gatherCrowd(SOCKETS, { pickUrl, connect })
const seconds = (performance.now() - began) / 1_000
reset()
const idle = await Promise.all(nodes.map(watch))
const each = SOCKETS / nodes.length
printTable(
  [`${SOCKETS} visitors in chats on two nodes, idle for ${IDLE_S} s`, ...nodes.map((_, index) => `node ${index + 1}`)],
  [
    ['resident memory, MiB', ...idle.map(({ resident }) => (resident / MIB).toFixed(0))],
    [
      'the same for each socket, KiB',
      ...idle.map((of, at) => ((of.resident - (before[at]?.resident ?? 0)) / each / KIB).toFixed(1)),
    ],
    ['heap, MiB', ...idle.map(({ heap }) => (heap / MIB).toFixed(0))],
    [
      'the same for each socket, KiB',
      ...idle.map((of, at) => ((of.heap - (before[at]?.heap ?? 0)) / each / KIB).toFixed(1)),
    ],
    ['processor, % of a core', ...idle.map(({ used }) => (used * 100).toFixed(1))],
  ],
)
process.stdout.write(
  `  they came in within ${figureOf(seconds)} s; ${record.closed.length} of them lost their connection\n\n`,
)

const port = new URL(nodes[1].url).port
const browser = await launchBrowser([`--host-resolver-rules=MAP ${new URL(BENCH_ORIGIN).host}:80 127.0.0.1:${port}`])
const page = await browser.newPage({ baseURL: BENCH_ORIGIN })
const inPage = await page.context().newCDPSession(page)
const inBrowser = await browser.newBrowserCDPSession()
const rows = page.getByRole('list', { name: 'Active chats' }).getByRole('listitem')
const counted = page.getByText(new RegExp(`^Active Sessions: ${SOCKETS}$`))

/**
 * The page's heap without garbage, and the memory of the largest process that draws pages: its own, which a browser's
 * task manager shows too, and all resident memory, including the program and libraries of the browser.
 */
const browserMemory = async () => {
  await inPage.send('HeapProfiler.collectGarbage')
  const { usedSize: heap } = await inPage.send('Runtime.getHeapUsage')
  const { processInfo } = await inBrowser.send('SystemInfo.getProcessInfo')
  const renderers = processInfo.filter(({ type }) => type === 'renderer')
  const largest = async (measure: (pid: number) => Promise<number>) =>
    Math.max(...(await Promise.all(renderers.map(({ id }) => measure(id)))))
  return { heap, own: await largest(privateMemoryOf), resident: await largest(memoryOf) }
}
const blank = await browserMemory()

await page.goto('/admin-chat')
await page.getByLabel(/username/i).fill(STAFF.username)
await page.getByLabel(/password/i).fill(STAFF.password)
await page.keyboard.press('Enter')
await counted.waitFor({ timeout: 120_000 }) // until the worker has brought the view up to date
const opened: number[] = []
for (let time = 0; time < OPENINGS; time += 1) {
  const asked = performance.now()
  await page.goto('/admin-chat', { waitUntil: 'commit' })
  await Promise.all([counted.waitFor(), rows.first().waitFor()])
  opened.push(performance.now() - asked)
}
const opening = await browserMemory()
const saying = performance.now()
const stopSaying = crowd.keepSaying(SAID_PER_SECOND)
await delay((SOCKETS / SAID_PER_SECOND) * 1_000)
stopSaying()
await crowd.settled()
const said = (performance.now() - saying) / 1_000
let shown = await rows.count()
for (let before = -1; shown !== before; ) {
  before = shown
  await delay(QUIET_MS)
  shown = await rows.count()
}
const answered = performance.now()
await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
const frame = performance.now() - answered
const writing = await browserMemory()
const flaws = await crowd.audit()
const memoryRow = (what: string, of: (memory: typeof blank) => number) => [
  what,
  ...[opening, writing].map((memory) => (of(memory) / MIB).toFixed(1)),
]
const memoryRows = [
  memoryRow('heap, MiB', ({ heap }) => heap),
  memoryRow(
    `memory of the page's process alone, MiB (a blank page: ${(blank.own / MIB).toFixed(1)})`,
    ({ own }) => own,
  ),
  memoryRow('the same above a blank page, MiB', ({ own }) => own - blank.own),
  memoryRow('resident, with what it shares with others, MiB', ({ resident }) => resident),
]

printTable(
  [`a console in Chromium beside ${SOCKETS} chats that go on`, 'as it opens', `after ${SOCKETS} messages`],
  [
    [
      'until the list is there: median and most, ms',
      `${figureOf(median(opened))}, ${figureOf(Math.max(...opened))}`,
      '',
    ],
    ...memoryRows,
    ['chats in the list', '', String(shown)],
    ['until the page draws again, ms', '', figureOf(frame)],
    ['all were written and shown within, s', '', figureOf(said)],
    ['lost, doubled, out of order, otherwise wrong', '', Object.values(flaws).join(', ')],
  ],
)
await browser.close()
crowd.close()
await stop()
process.exit(0)
