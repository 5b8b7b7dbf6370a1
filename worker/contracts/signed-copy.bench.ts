import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { aUnit } from '../../events/local/bench/cost.ts'
import { openMeter } from '../../events/local/bench/meter.ts'
import { OURS, paced, reportSeries } from '../../events/local/bench/reported.ts'
import { interleaved, seriesOf } from '../../events/local/bench/rounds.ts'
import { newVisitor, startBenchNode, startBenchWorker } from '../../events/local/bench-nodes.ts'
import { buildWebIfStale } from '../../events/local/web-build.ts'
import { migrate } from '../../events/log/migrate.ts'

/** From the 201 of a signed contract to its whole PDF at the client, through an API node and a worker. */

const ROUNDS = paced({ full: 9, report: 5, quick: 1 })
const PAUSE_MS = 200

await migrate(process.env.DATABASE_URL ?? '')
const meter = await openMeter()
await buildWebIfStale(process.cwd())
const api = await startBenchNode()
const worker = await startBenchWorker()

const CONTRACT = {
  name: 'Zoë Botha',
  email: 'zoe@shop.example',
  phone: '0821234567',
  businessName: 'Botha Bakery',
  leadSource: 'contract_premium',
  agreedToTerms: true,
}

const sign = async () => {
  const headers = { 'content-type': 'application/json', ...newVisitor() }
  const signed = await fetch(`${api.url}/api/leads`, { method: 'POST', headers, body: JSON.stringify(CONTRACT) })
  if (signed.status !== 201) throw new Error(`A contract was answered with ${signed.status}`)
  const begin = performance.now()
  const { contractCopy } = (await signed.json()) as { contractCopy: string }
  const copy = await fetch(api.url + contractCopy, { headers })
  if (copy.status !== 200) throw new Error(`A signed copy was answered with ${copy.status}`)
  await copy.arrayBuffer()
  return performance.now() - begin
}

const rounds = await interleaved([{ name: OURS }], ROUNDS, async () => {
  await delay(PAUSE_MS)
  const { result, cost } = await meter.during([api.pid, worker.pid], sign)
  return { ms: result, cost: aUnit(cost, 1) }
})
reportSeries(
  'signed-copy',
  seriesOf([OURS], rounds, ({ ms }) => ms),
  seriesOf([OURS], rounds, ({ cost }) => cost),
)
await Promise.all([api.stop(), worker.stop()])
process.exit(0)
