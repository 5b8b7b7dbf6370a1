import { randomUUID } from 'node:crypto'
import process from 'node:process'
import * as v from 'valibot'
import { evolveLead, isLeadEvent, leadStreams, submitLead } from '../lead.ts'
import { leadForm } from '../lead-form.ts'
import { median, printTable } from '../local/figures.ts'
import { TEST_KEYS } from '../local/test-keys.ts'
import { openAppender } from '../log/append.ts'
import { connect } from '../log/connection.ts'
import { migrate } from '../log/migrate.ts'
import { readLog } from '../log/read.ts'
import { leadsProjection } from './leads.ts'
import { prepareProjection } from './projection.ts'
import { rebuildProjection } from './rebuild.ts'

/** Rebuilding the lead view from 200,000 events, decryption included, beside its peer: one statement and one commit an event. */

const EVENTS = 200_000
const PEER_EVENTS = 5_000
const CALLERS = 256
const ROUNDS = 3
const REQUIRED_PER_SECOND = 40_000

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
      insert into peer.entries (position, id, submitted_at, is_suspect, search)
      values (${position}, ${lead.id}, ${lead.timestamp}, false, ${lead.name})`
  }
  await sql`truncate peer.leads, peer.entries`
}

const rounds: { ours: number; peer: number }[] = []
for (let round = 0; round < ROUNDS; round += 1) {
  rounds.push({
    ours: await perSecond(EVENTS, () =>
      rebuildProjection({ databaseUrl: databaseUrl, keys: TEST_KEYS }, leadsProjection),
    ),
    peer: await perSecond(PEER_EVENTS, oneByOne),
  })
}
const ours = median(rounds.map((round) => round.ours))
printTable(
  ['rebuild', 'events/s', 'ratio', 'wanted'],
  [
    [
      'in batches',
      ours.toFixed(0),
      median(rounds.map((round) => round.ours / round.peer)).toFixed(1),
      `at least ${REQUIRED_PER_SECOND}`,
    ],
    ['one commit an event', median(rounds.map((round) => round.peer)).toFixed(0), '1.0', ''],
  ],
)
await sql.end()
