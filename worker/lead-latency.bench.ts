import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { figureOf, printTable, quantile } from '../events/local/figures.ts'
import { startNodeProcess } from '../events/local/node-process.ts'
import { freePort } from '../events/local/port.ts'
import { TEST_DATA_KEY } from '../events/local/test-keys.ts'
import { connect } from '../events/log/connection.ts'
import { changedLeads } from '../events/projections/leads.ts'

/** From the 201 of a lead to the lead in the view, at 100 leads a second, through an API node and a worker. */

const LEADS_PER_SECOND = 100
const SECONDS = 15
const WARM_UP_LEADS = 200
const REQUIRED_P99_MS = 25

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
const api = await startNodeProcess(`${ROOT}api/main.ts`, env)
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

const submit = async (number: number) => {
  const sent = performance.now()
  const response = await fetch(`http://127.0.0.1:${port}/api/leads`, {
    method: 'POST',
    // somebody else each time: what one address sends beyond its limit goes into quarantine
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': `100.64.${number >> 8}.${number & 255}` },
    body: JSON.stringify({
      name: `Visitor ${number}`,
      email: 'v@shop.example',
      phone: '0821234567',
      leadSource: 'hero_form',
    }),
  })
  if (response.status !== 201) throw new Error(`A lead was answered with ${response.status}`)
  const answered = performance.now()
  const { id } = (await response.json()) as { id: string }
  return { id, answered, took: answered - sent }
}

const submitMany = async (count: number) => {
  const begin = performance.now()
  const submissions = Array.from({ length: count }, async (_, number) => {
    await delay(Math.max(0, (number * 1000) / LEADS_PER_SECOND - (performance.now() - begin)))
    return submit(number)
  })
  return Promise.all(submissions)
}

const watching = watch()
await submitMany(WARM_UP_LEADS)
const leads = await submitMany(LEADS_PER_SECOND * SECONDS)
while (leads.some(({ id }) => !inView.has(id))) await delay(10)
isWatching = false
await watching

const row = (name: string, samples: number[], wanted: string) => [
  name,
  ...[0.5, 0.95, 0.99, 1].map((share) => figureOf(quantile(samples, share))),
  wanted,
]
const lags = leads.map(({ id, answered }) => Math.max(0, (inView.get(id) ?? Number.NaN) - answered))
printTable(
  ['ms', 'p50', 'p95', 'p99', 'max', 'wanted'],
  [
    row(
      'POST to 201',
      leads.map(({ took }) => took),
      '',
    ),
    row('201 to view', lags, `p99 at most ${REQUIRED_P99_MS}`),
  ],
)
await sql.end()
await Promise.all([api.stop(), worker.stop()])
process.exit(0)
