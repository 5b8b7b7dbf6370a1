import { get, type IncomingMessage } from 'node:http'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { leadsProjection, UNASSIGNED_ID } from '../../events/lead/store/view.ts'
import { printTable } from '../../events/local/figures.ts'
import { startNodeProcess } from '../../events/local/node-process.ts'
import { freePort } from '../../events/local/port.ts'
import { migrate } from '../../events/log/migrate.ts'
import { prepareProjection, schemaOf } from '../../events/projections/projection.ts'
import { connect } from '../../events/stores/connection.ts'
import { TEST_DATA_KEY } from '../../events/testing/keys.ts'

/**
 * An export of 100,000 leads: how long it takes, and how much the memory of the API node grows during that time.
 *
 * Measured on a noisy machine with two cores: 3.3 s, and the node grows by 19 MiB; CSV 1.8 s and 28 MiB.
 */

const VIEW = schemaOf(leadsProjection)
const ROWS = 100_000
const MIB = 1024 * 1024
const MAX_GROWTH_MIB = 50
const SAMPLE_EVERY_MS = 50
/** A slow client reads this much at a time, then pauses. */
const SIP_BYTES = 512 * 1024
const REST_MS = 40
const WARM_UP_ROUNDS = 2

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const databaseUrl = process.env.DATABASE_URL ?? ''
const staff = { username: 'staff', password: 'only for this benchmark' }
const port = await freePort()
const url = `http://127.0.0.1:${port}`

await migrate(databaseUrl)
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
    'nextActionDate', '2026-02-01', 'answeredAt', null, 'forwardStatus', null, 'version', 1)
  from made`
await sql`vacuum analyze ${sql(VIEW)}.leads`
await sql`vacuum analyze ${sql(VIEW)}.entries`

const api = await startNodeProcess(`${ROOT}api/process/main.ts`, {
  ...process.env,
  PORT: String(port),
  NODES: '1',
  PUBLIC_URL: url,
  SESSION_SECRET: 'only for this benchmark',
  DATA_KEY: TEST_DATA_KEY,
  STAFF_USERNAME: staff.username,
  STAFF_PASSWORD: staff.password,
  LOG_LEVEL: 'warn',
})

const signIn = async () => {
  const response = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { origin: url, 'content-type': 'application/json' },
    body: JSON.stringify(staff),
  })
  return response.headers.get('set-cookie')?.split(';')[0] ?? ''
}

const residentMib = async () => {
  const text = await (await fetch(`${url}/metrics`)).text()
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

const cookie = await signIn()

const open = (format: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    get(`${url}/api/leads/export?format=${format}`, { headers: { cookie, origin: url } }, resolve).once('error', reject)
  })

const download = async (format: string, restMs: number) => {
  const begin = performance.now()
  const response = await open(format)
  if (response.statusCode !== 200) throw new Error(`The export was answered with ${response.statusCode}`)
  let bytes = 0
  let sip = 0
  for await (const chunk of response) {
    bytes += chunk.length
    sip += chunk.length
    if (restMs === 0 || sip < SIP_BYTES) continue
    sip = 0
    await delay(restMs)
  }
  return { bytes, seconds: (performance.now() - begin) / 1000 }
}

// Code and heap grow in the first rounds, whatever is exported; the measurement is of what an export adds to a busy
// node.
for (let round = 0; round < WARM_UP_ROUNDS; round += 1) await residentMib()

const rows: string[][] = []
for (const [name, format, restMs] of [
  ['workbook, to a fast reader', 'xlsx', 0],
  ['workbook, to a slow reader', 'xlsx', REST_MS],
  ['CSV, to a fast reader', 'csv', 0],
  ['CSV, to a slow reader', 'csv', REST_MS],
] as const) {
  const before = await residentMib()
  const { peak, result } = await peakDuring(download(format, restMs))
  rows.push([
    name,
    result.seconds.toFixed(1),
    (result.bytes / MIB).toFixed(1),
    before.toFixed(0),
    (peak - before).toFixed(1),
    `at most ${MAX_GROWTH_MIB}`,
  ])
}
printTable([`${ROWS} rows`, 's', 'MiB', 'MiB of the node before', 'grown by', 'wanted'], rows)
await sql.end()
await api.stop()
process.exit(0)
