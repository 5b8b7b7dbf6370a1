import { get, type IncomingMessage } from 'node:http'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { leadsProjection, UNASSIGNED_ID } from '../../events/lead/store/view.ts'
import { aUnit } from '../../events/local/bench/cost.ts'
import { openMeter } from '../../events/local/bench/meter.ts'
import { OURS, paced, reportSeries } from '../../events/local/bench/reported.ts'
import { interleaved, seriesOf } from '../../events/local/bench/rounds.ts'
import { signInToBench, startBenchNode } from '../../events/local/bench-nodes.ts'
import { buildWebIfStale } from '../../events/local/web-build.ts'
import { migrate } from '../../events/log/migrate.ts'
import { prepareProjection, schemaOf } from '../../events/projections/projection.ts'
import { connect } from '../../events/stores/connection.ts'

/** An export of 100,000 leads: how long it takes, and how much the memory of the API node grows during that time. */

const VIEW = schemaOf(leadsProjection)
const ROWS = paced({ full: 100_000, quick: 5_000 })
const ROUNDS = paced({ full: 3, quick: 1 })
const MIB = 1024 * 1024
const SAMPLE_EVERY_MS = 50
/** A slow client reads this much at a time, then pauses. */
const SIP_BYTES = 512 * 1024
const REST_MS = 40
const WARM_UP_ROUNDS = 2

const databaseUrl = process.env.DATABASE_URL ?? ''

await buildWebIfStale(process.cwd())
await migrate(databaseUrl)
const meter = await openMeter()
const sql = connect(databaseUrl, { max: 1, name: 'bench', statementTimeoutMs: 0 })
await prepareProjection(sql, leadsProjection)
await sql`
  with made as materialized (
    select gen_random_uuid() as id, n, timestamptz '2026-01-01T00:00:00Z' + n * interval '1 minute' as at
    from generate_series(1, ${ROWS}) n
  ), entries as (
    insert into ${sql(VIEW)}.entries (position, id, submitted_at, is_suspect, search, status, owner_id, source, package, is_waiting)
    select n, id, at, false, '', 'new', ${UNASSIGNED_ID}, 'hero_form', 'none', true from made
  )
  insert into ${sql(VIEW)}.leads (id, position, changed_position, is_suspect, lead)
  select id, n, n, false, json_build_object('id', id, 'name', 'Visitor ' || n, 'email', 'visitor' || n || '@shop.example',
    'phone', '+27 82 555 0142', 'company', 'Shop ' || n, 'businessName', null, 'industry', 'whatsapp',
    'package', 'Professional - R1,499 + R299/month', 'message', repeat(md5(n::text) || ' ', 6), 'timeline', 'asap',
    'leadSource', 'contact_form', 'pageUrl', 'https://www.example.com/', 'agreedToTerms', null, 'firstTouch', null,
    'lastTouch', null, 'timestamp', to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'followUpStatus', 'won', 'conversionDate', '2026-01-31T10:00:00.000Z', 'projectValue', n, 'ownerId', null,
    'nextActionDate', '2026-02-01', 'answeredAt', null, 'emailStatus', null, 'version', 1)
  from made`
await sql`vacuum analyze ${sql(VIEW)}.leads`
await sql`vacuum analyze ${sql(VIEW)}.entries`

const api = await startBenchNode()
const headers = await signInToBench(api)

const residentMib = async () => {
  const text = await (await fetch(`${api.url}/metrics`)).text()
  return Number(/^process_resident_memory_bytes\S* (\S+)/m.exec(text)?.[1]) / MIB
}

/** The maximum memory of the node while `work` ran. */
const peakDuring = async <T>(work: Promise<T>) => {
  let isOver = false
  const result = work.finally(() => {
    isOver = true
  })
  let peak = 0
  while (!isOver) {
    peak = Math.max(peak, await residentMib())
    await delay(SAMPLE_EVERY_MS)
  }
  return { peak, result: await result }
}

const open = (format: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    get(`${api.url}/api/leads/export?format=${format}`, { headers }, resolve).once('error', reject)
  })

const download = async (format: string, restMs: number) => {
  const begin = performance.now()
  const response = await open(format)
  if (response.statusCode !== 200) throw new Error(`The export was answered with ${response.statusCode}`)
  let sip = 0
  for await (const chunk of response) {
    sip += chunk.length
    if (restMs === 0 || sip < SIP_BYTES) continue
    sip = 0
    await delay(restMs)
  }
  return { seconds: (performance.now() - begin) / 1_000 }
}

// Code and heap grow in the first rounds, whatever is exported; the measurement is of what an export adds to a busy
// node.
for (let round = 0; round < WARM_UP_ROUNDS; round += 1) await residentMib()

const WAYS = [
  { name: OURS, format: 'xlsx', restMs: 0 },
  { name: 'to a slow reader', format: 'xlsx', restMs: REST_MS },
  ...paced({
    full: [
      { name: 'as CSV', format: 'csv', restMs: 0 },
      { name: 'as CSV, to a slow reader', format: 'csv', restMs: REST_MS },
    ],
    report: [],
    quick: [],
  }),
]
const rounds = await interleaved(
  WAYS,
  ROUNDS,
  async ({ format, restMs }) => {
    const before = await residentMib()
    const { result, cost } = await meter.during([api.pid], () => peakDuring(download(format, restMs)))
    return { seconds: result.result.seconds, grown: result.peak - before, cost: aUnit(cost, ROWS) }
  },
  { warmsUp: false },
)
const names = WAYS.map(({ name }) => name)
reportSeries(
  'export',
  seriesOf(names, rounds, ({ seconds }) => seconds),
  seriesOf(names, rounds, ({ cost }) => cost),
)
reportSeries(
  'export-memory',
  seriesOf(names, rounds, ({ grown }) => grown),
)
await sql.end()
await api.stop()
process.exit(0)
