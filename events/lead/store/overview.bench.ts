import process from 'node:process'
import { addDays, agencyDay } from '../../base/agency-day.ts'
import { rebuildProjection } from '../../consumers/rebuild.ts'
import { figureOf, printTable, quantile } from '../../local/figures.ts'
import { migrate } from '../../log/migrate.ts'
import { prepareProjection } from '../../projections/projection.ts'
import { connect } from '../../stores/connection.ts'
import { TEST_KEYS } from '../../testing/keys.ts'
import { overviewProjection } from './overview.ts'
import { readOverview } from './overview-figures.ts'

/** The overview of a year of 1,000,000 leads, all answered and a fifth won, today and as of past days. */

const LEADS = 1_000_000
const DAYS = 365
const ROUNDS = 10
const REQUIRED_MS = 300

const databaseUrl = process.env.DATABASE_URL ?? ''
await migrate(databaseUrl)
const sql = connect(databaseUrl, { max: 2, name: 'bench', statementTimeoutMs: 0 })

// Submissions over a year; each is answered within three days, and every fifth is won within the month after.
await sql`
  with made as materialized (
    select gen_random_uuid() as lead, n, now() - interval '30 days' - random() * interval '335 days' as at
    from generate_series(1, ${LEADS}) n
  )
  insert into events (position, id, stream, version, type, schema_version, data, subject_id, personal, metadata, recorded_at, hash)
  select row_number() over (order by at), gen_random_uuid(), 'lead-' || lead, version, type, shape, data, subject, null, '{}', at, ''
  from (
    select lead, at, 1 as version, 'LeadSubmitted' as type, 2 as shape, lead as subject,
      json_build_object('package', (array['essential', 'professional', 'premium', 'custom', 'none'])[1 + n % 5],
        'source', (array['hero_form', 'contact_form', 'contract_premium', 'live_chat'])[1 + n % 4],
        'isContract', n % 4 = 2) as data, n
    from made
    union all
    select lead, at + random() ^ 3 * interval '3 days', 2, 'LeadFollowUpChanged', 1, null,
      json_build_object('followUpStatus', 'contacted', 'by', '00000000-0000-4000-8000-000000000001'), n from made
    union all
    select lead, at + interval '3 days' + random() * interval '27 days', 3, 'LeadFollowUpChanged', 1, null,
      json_build_object('followUpStatus', 'won', 'projectValue', 1499, 'by', '00000000-0000-4000-8000-000000000001'), n
    from made where n % 5 = 0
  ) happened`
await sql`vacuum analyze events`
await prepareProjection(sql, overviewProjection)
const begin = performance.now()
const events = (await rebuildProjection({ databaseUrl: databaseUrl, keys: TEST_KEYS }, overviewProjection)) ?? 0
const rebuiltPerSecond = (events * 1000) / (performance.now() - begin)
await sql.unsafe('vacuum analyze')

const today = agencyDay(new Date())
const sampled = async (asOf: string, days: number) => {
  const samples: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = performance.now()
    await readOverview(sql, { asOf, days, now: new Date() })
    samples.push(performance.now() - started)
  }
  return samples
}

const rows: string[][] = []
for (const [name, asOf, days] of [
  ['a year, today', today, DAYS],
  ['a year, as of 90 days ago', addDays(today, -90), DAYS],
  ['30 days, as of 90 days ago', addDays(today, -90), 30],
] as const) {
  const samples = await sampled(asOf, days)
  rows.push([name, figureOf(quantile(samples, 0.5)), figureOf(quantile(samples, 1)), `at most ${REQUIRED_MS}`])
}
printTable(['overview, ms', 'p50', 'max', 'wanted'], rows)
printTable(['rebuild', 'events', 'events/s'], [['', String(events), rebuiltPerSecond.toFixed(0)]])
await sql.end()
