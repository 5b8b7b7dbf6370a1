import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { changedLeads } from '../events/lead/store/view.ts'
import { WAKE_UP } from '../events/local/bench/claims.ts'
import { aUnit, type Cost } from '../events/local/bench/cost.ts'
import { openJobWakeUps } from '../events/local/bench/job-wake-ups.ts'
import { openMeter } from '../events/local/bench/meter.ts'
import { OURS, paced, reportSeries } from '../events/local/bench/reported.ts'
import { interleaved, seriesOf } from '../events/local/bench/rounds.ts'
import { startBenchNode, startBenchWorker } from '../events/local/bench-nodes.ts'
import { quantile } from '../events/local/figures.ts'
import { buildWebIfStale } from '../events/local/web-build.ts'
import { migrate } from '../events/log/migrate.ts'
import { connect } from '../events/stores/connection.ts'

/**
 * From the 201 of a lead to the lead in the view, at a steady rate, through an API node and a worker; compared, in
 * alternation and at the same rate, with a bare BullMQ job, from its adding to its worker, which is the limit.
 */

const STEADY = { leadsPerSecond: 100, seconds: paced({ full: 15, report: 5, quick: 1 }) }
const RATES = paced({ full: [STEADY, { leadsPerSecond: 1_000, seconds: 10 }], report: [STEADY], quick: [STEADY] })
const ROUNDS = paced({ full: 3, quick: 1 })
const WARM_UP_LEADS = paced({ full: 400, quick: 100 })
const CONNECTIONS = 64

await migrate(process.env.DATABASE_URL ?? '')
const meter = await openMeter()
await buildWebIfStale(process.cwd())
const api = await startBenchNode()
const worker = await startBenchWorker()
const sql = connect(process.env.DATABASE_URL ?? '', { max: 1, name: 'bench' })

const inView = new Map<string, number>()
let isWatching = true
const watch = async () => {
  let position = 0
  while (isWatching) {
    for (const change of await changedLeads(sql, position, 1_000)) {
      position = change.position
      inView.set(change.lead.id, performance.now())
    }
    await delay(1)
  }
}

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS, scheduling: 'fifo' }) // none falls idle and is closed
const post = async (body: string, headers: Record<string, string>) => {
  const sending = request(`${api.url}/api/leads`, { method: 'POST', agent, headers })
  sending.end(body)
  const [response] = (await once(sending, 'response')) as [IncomingMessage]
  const answer = await text(response)
  if (response.statusCode !== 201) throw new Error(`A lead was answered with ${response.statusCode}`)
  return JSON.parse(answer) as { id: string }
}

const submit = async (number: number) => {
  const body = { name: `Visitor ${number}`, email: 'v@shop.example', phone: '0821234567', leadSource: 'hero_form' }
  // a different visitor each time: submissions of one address beyond its limit go into quarantine
  const address = `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`
  const headers = { 'Content-Type': 'application/json', 'X-Forwarded-For': address }
  const { id } = await post(JSON.stringify(body), headers)
  return { id, answered: performance.now() }
}

let submitted = 0
/** Begins work at a steady rate, and waits for all of it. */
const steadily = <Done>(count: number, perSecond: number, work: () => Promise<Done>): Promise<Done[]> => {
  const begin = performance.now()
  return Promise.all(
    Array.from({ length: count }, async (_, number) => {
      await delay(Math.max(0, (number * 1000) / perSecond - (performance.now() - begin)))
      return work()
    }),
  )
}

const submitNext = () => {
  submitted += 1
  return submit(submitted)
}

type Rate = (typeof RATES)[number]
type Round = { lags: number[]; cost: Cost }

const throughView = async ({ leadsPerSecond, seconds }: Rate): Promise<Round> => {
  const { result: leads, cost } = await meter.during([api.pid, worker.pid], async () => {
    const submitted = await steadily(leadsPerSecond * seconds, leadsPerSecond, submitNext)
    while (submitted.some(({ id }) => !inView.has(id))) await delay(10)
    return submitted
  })
  const lags = leads.map(({ id, answered }) => Math.max(0, (inView.get(id) ?? Number.NaN) - answered))
  return { lags, cost: aUnit(cost, leads.length) }
}

const wakeUps = await openJobWakeUps(process.env.REDIS_URL ?? '')
const bareWakeUps = async ({ leadsPerSecond, seconds }: Rate): Promise<Round> => {
  const { result: lags, cost } = await meter.during([process.pid], () =>
    steadily(leadsPerSecond * seconds, leadsPerSecond, wakeUps.wake),
  )
  return { lags, cost: aUnit(cost, lags.length) }
}

const watching = watch()
await steadily(WARM_UP_LEADS, 200, submitNext)
const ways = [
  { name: OURS, round: throughView },
  { name: WAKE_UP, round: bareWakeUps },
]
const names = ways.map(({ name }) => name)
for (const rate of RATES) {
  const rounds = await interleaved(ways, ROUNDS, ({ round }) => round(rate), { warmsUp: false })
  reportSeries(
    `view-${rate.leadsPerSecond}`,
    seriesOf(names, rounds, ({ lags }) => quantile(lags, 0.99)),
    seriesOf(names, rounds, ({ cost }) => cost),
  )
}
isWatching = false
await watching
await wakeUps.close()
await sql.end()
await Promise.all([api.stop(), worker.stop()])
process.exit(0)
