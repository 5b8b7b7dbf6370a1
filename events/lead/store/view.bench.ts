import { randomUUID } from 'node:crypto'
import process from 'node:process'
import * as v from 'valibot'
import { rebuildProjection } from '../../consumers/rebuild.ts'
import { OURS, paced, reportSeries } from '../../local/bench/reported.ts'
import { interleaved, seriesOf } from '../../local/bench/rounds.ts'
import { openAppender } from '../../log/append.ts'
import { migrate } from '../../log/migrate.ts'
import { readDeclared, readLog } from '../../log/read.ts'
import { prepareProjection } from '../../projections/projection.ts'
import { connect, inTransaction } from '../../stores/connection.ts'
import { TEST_KEYS } from '../../testing/keys.ts'
import { leadForm } from '../form/form.ts'
import { evolveLead, isLeadEvent, leadStreams, submitLead } from '../lead.ts'
import { leadsProjection, UNASSIGNED_ID } from './view.ts'

/**
 * Rebuilding the lead view from 200,000 events (60,000 for the report), decryption included, compared with one
 * statement and one commit per event, and with the plain way in batches: read 5,000 events, write them, commit, and
 * make the indexes at the end.
 *
 * Measured on a noisy machine with two cores, 60,000 events, decryption and trigrams included: 18,300 events/s on
 * Postgres 18 and 18,400 on 15, compared with 980 and 1,040 with one commit per event.
 */

const EVENTS = paced({ full: 200_000, report: 60_000, quick: 3_000 })
const PEER_EVENTS = paced({ full: 5_000, quick: 500 })
const BATCH_EVENTS = 5_000
const CALLERS = 256
const ROUNDS = paced({ full: 3, quick: 1 })

const databaseUrl = process.env.DATABASE_URL ?? ''

await migrate(databaseUrl)
const sql = connect(databaseUrl, { max: 4, name: 'bench', statementTimeoutMs: 0, keys: TEST_KEYS })
const log = openAppender(databaseUrl, { keys: TEST_KEYS })
const [server] = await sql<{ version: string }[]>`select split_part(version(), ' ', 2) as version`
process.stdout.write(`  Postgres ${server?.version}\n`)

const append = (number: number) => {
  const leadId = randomUUID()
  const form = v.parse(leadForm, {
    name: `Visitor ${number}`,
    email: `visitor${number}@shop.example`,
    phone: `082 ${String(number).padStart(7, '0')}`,
    message: 'We want people to find our opening hours and order online.',
    package: 'professional',
    leadSource: 'hero_form',
  })
  const event = { id: randomUUID(), ...submitLead({ leadId, form }) }
  return log.append({ stream: leadStreams.of(leadId), expectedVersion: 0, events: [event] })
}

for (let number = 0; number < EVENTS; number += CALLERS) {
  await Promise.all(Array.from({ length: Math.min(CALLERS, EVENTS - number) }, (_, index) => append(number + index)))
}
await log.close()
await sql`vacuum analyze events`
await prepareProjection(sql, leadsProjection)

const perSecond = async (events: number, work: () => Promise<unknown>) => {
  const begin = performance.now()
  await work()
  return (events * 1000) / (performance.now() - begin)
}

await sql.unsafe(`create schema peer; ${leadsProjection.tables('peer')}`)
const oneByOne = async () => {
  for (let position = 1; position <= PEER_EVENTS; position += 1) {
    const [event] = (await readLog(sql, position - 1, 1)).filter(isLeadEvent)
    const lead = event && evolveLead(undefined, event)
    if (!lead) throw new Error(`Event ${position} begins no lead`)
    await sql`
      with lead as (
        insert into peer.leads (id, position, changed_position, is_suspect, lead)
        values (${lead.id}, ${position}, ${position}, false, ${sql.json(lead)})
      )
      insert into peer.entries (position, id, submitted_at, is_suspect, search, status, owner_id, source, package, is_waiting)
      values (${position}, ${lead.id}, ${lead.timestamp}, false, ${lead.name}, 'new', ${UNASSIGNED_ID}, 'hero_form', 'none', true)`
  }
  await sql`truncate peer.leads, peer.entries`
}

const inBatches = async () => {
  await sql.unsafe(`create schema batches; ${leadsProjection.tables('batches')}`)
  for (let position = 0; position < EVENTS; ) {
    const batch = await readDeclared(sql, position, BATCH_EVENTS, leadsProjection)
    await inTransaction(sql, async (tx) => {
      await Promise.all(await leadsProjection.apply(tx, 'batches', batch.events))
    })
    position = batch.position
  }
  await sql.unsafe(`set maintenance_work_mem = '256MB'; ${leadsProjection.indexes('batches')}`)
  await sql.unsafe('drop schema batches cascade')
}

const ways = [
  { name: OURS, events: EVENTS, work: () => rebuildProjection({ databaseUrl, keys: TEST_KEYS }, leadsProjection) },
  { name: 'one commit an event', events: PEER_EVENTS, work: oneByOne },
  { name: 'batches of 5,000', events: EVENTS, work: inBatches },
]
const rounds = await interleaved(ways, ROUNDS, ({ events, work }) => perSecond(events, work), { warmsUp: false })
const names = ways.map(({ name }) => name)
reportSeries(
  'rebuild',
  seriesOf(names, rounds, (round) => round),
)
await sql.end()
