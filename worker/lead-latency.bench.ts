import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { changedLeads } from '../events/lead/store/view.ts'
import { WAKE_UP } from '../events/local/bench/claims.ts'
import { openJobWakeUps } from '../events/local/bench/job-wake-ups.ts'
import { OURS, paced, reportSeries } from '../events/local/bench/reported.ts'
import { interleaved, seriesOf } from '../events/local/bench/rounds.ts'
import { figureOf, median, printTable, quantile } from '../events/local/figures.ts'
import { startNodeProcess } from '../events/local/node-process.ts'
import { freePort } from '../events/local/port.ts'
import { migrate } from '../events/log/migrate.ts'
import { connect } from '../events/stores/connection.ts'
import { TEST_DATA_KEY } from '../events/testing/keys.ts'

/**
 * From the 201 of a lead to the lead in the view, at a steady rate, through an API node and a worker; compared, in
 * alternation and at the same rate, with a bare BullMQ job, from its adding to its worker, which is the limit.
 *
 * Measured on a noisy machine with two cores while other work ran: p50 9.5 ms and p99 36.6 ms at 100 leads/s, 4.5 and
 * 72.6 ms at 800/s.
 */

const RATES = [
  { leadsPerSecond: 100, seconds: paced({ full: 15, report: 5, quick: 1 }), requiredP99Ms: 25 },
  { leadsPerSecond: 1_000, seconds: paced({ full: 10, report: 3, quick: 1 }), requiredP99Ms: 60 },
]
const ROUNDS = paced({ full: 3, quick: 1 })
const WARM_UP_LEADS = paced({ full: 400, quick: 100 })
const CONNECTIONS = 64

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const port = await freePort()
const env = {
  ...process.env,
  PORT: String(port),
  NODES: '1',
  SESSION_SECRET: 'only for this benchmark',
  DATA_KEY: TEST_DATA_KEY,
  LOG_LEVEL: 'warn',
  TRUST_PROXY: '1',
}
await migrate(process.env.DATABASE_URL ?? '')
const api = await startNodeProcess(`${ROOT}api/process/main.ts`, env)
const worker = await startNodeProcess(`${ROOT}worker/main.ts`, env)
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
  const sending = request(`http://127.0.0.1:${port}/api/leads`, { method: 'POST', agent, headers })
  sending.end(body)
  const [response] = (await once(sending, 'response')) as [IncomingMessage]
  const answer = await text(response)
  if (response.statusCode !== 201) throw new Error(`A lead was answered with ${response.statusCode}`)
  return JSON.parse(answer) as { id: string }
}

const submit = async (number: number) => {
  const sent = performance.now()
  const body = { name: `Visitor ${number}`, email: 'v@shop.example', phone: '0821234567', leadSource: 'hero_form' }
  // a different visitor each time: submissions of one address beyond its limit go into quarantine
  const address = `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`
  const headers = { 'Content-Type': 'application/json', 'X-Forwarded-For': address }
  const { id } = await post(JSON.stringify(body), headers)
  const answered = performance.now()
  return { id, answered, took: answered - sent }
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

const row = (name: string, samples: number[], wanted: string) => [
  name,
  ...[0.5, 0.95, 0.99, 1].map((share) => figureOf(quantile(samples, share))),
  wanted,
]

type Rate = (typeof RATES)[number]
type Round = { reached: number; took: number[]; lags: number[] }

const throughView = async ({ leadsPerSecond, seconds }: Rate): Promise<Round> => {
  const begin = performance.now()
  const leads = await steadily(leadsPerSecond * seconds, leadsPerSecond, submitNext)
  const reached = (leads.length * 1000) / (performance.now() - begin)
  while (leads.some(({ id }) => !inView.has(id))) await delay(10)
  const took = leads.map((lead) => lead.took)
  const lags = leads.map(({ id, answered }) => Math.max(0, (inView.get(id) ?? Number.NaN) - answered))
  return { reached, took, lags }
}

const wakeUps = await openJobWakeUps(process.env.REDIS_URL ?? '')
const bareWakeUps = async ({ leadsPerSecond, seconds }: Rate): Promise<Round> => {
  const lags = await steadily(leadsPerSecond * seconds, leadsPerSecond, wakeUps.wake)
  return { reached: leadsPerSecond, took: [], lags }
}

const watching = watch()
await steadily(WARM_UP_LEADS, 200, submitNext)
const ways = [
  { name: OURS, round: throughView },
  { name: WAKE_UP, round: bareWakeUps },
]
const names = ways.map(({ name }) => name)
for (const rate of RATES) {
  const { leadsPerSecond, requiredP99Ms } = rate
  const rounds = await interleaved(ways, ROUNDS, ({ round }) => round(rate), { warmsUp: false })
  const p99 = seriesOf(names, rounds, ({ lags }) => quantile(lags, 0.99))
  reportSeries(`view-${leadsPerSecond}`, p99)
  const [ours = [], bare = []] = rounds
  const ratio = median((p99[OURS] ?? []).map((value, round) => value / (p99[WAKE_UP]?.[round] ?? Number.NaN)))
  const reached = Math.round(median(ours.map((round) => round.reached)))
  printTable(
    [`${reached} of ${leadsPerSecond} leads/s, ms`, 'p50', 'p95', 'p99', 'max', 'wanted'],
    [
      row(
        'POST to 201',
        ours.flatMap(({ took }) => took),
        '',
      ),
      row(
        '201 to view',
        ours.flatMap(({ lags }) => lags),
        `p99 at most ${requiredP99Ms}`,
      ),
      row(
        'bare BullMQ wake-up',
        bare.flatMap(({ lags }) => lags),
        `${ratio.toFixed(1)} times; at most 2`,
      ),
    ],
  )
}
isWatching = false
await watching
await wakeUps.close()
await sql.end()
await Promise.all([api.stop(), worker.stop()])
process.exit(0)
