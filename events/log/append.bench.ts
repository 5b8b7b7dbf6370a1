import { randomUUID } from 'node:crypto'
import process from 'node:process'
import * as v from 'valibot'
import { leadForm, leadStream, submitLead } from '../lead.ts'
import { median, printTable } from '../local/figures.ts'
import { TEST_KEYS } from '../local/test-keys.ts'
import { openAppender } from './append.ts'
import { connect } from './connection.ts'
import { migrate } from './migrate.ts'

/**
 * Appending leads through the real path (valibot, queue, one function call, commit with fsync) beside its peer: one INSERT
 * and commit an event through the same driver, into a table with the same columns and indexes and a sequence, over a pool.
 */

const CALLERS = [1, 16, 64, 256]
const ROUND_MS = 1_000
const ROUNDS = 7
const PEER_CONNECTIONS = 10
const REQUIRED_RATIO_AT_64 = 2

const databaseUrl = process.env.DATABASE_URL ?? ''

const filledIn = {
  name: 'Thandi Nkosi',
  email: 'thandi@bakery.example',
  phone: '082 123 4567',
  company: 'Nkosi Bakery',
  message: 'We are a bakery in Soweto and want people to find our opening hours and order cakes online.',
  package: 'professional',
  timeline: '2-4weeks',
  leadSource: 'hero_form',
  pageUrl: 'https://www.example.com/',
}

const newLead = () => {
  const leadId = randomUUID()
  return { id: randomUUID(), stream: leadStream(leadId), ...submitLead({ leadId, form: v.parse(leadForm, filledIn) }) }
}

const eventsPerSecond = async (callers: number, once: () => Promise<unknown>) => {
  const begin = performance.now()
  let count = 0
  const caller = async () => {
    while (performance.now() - begin < ROUND_MS) {
      await once()
      count += 1
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  return (count * 1000) / (performance.now() - begin)
}

await migrate(databaseUrl)
const pool = connect(databaseUrl, { max: PEER_CONNECTIONS, name: 'bench', keys: TEST_KEYS })
await pool.unsafe(`
  create table peer (like events including all);
  create sequence peer_position owned by peer.position;
  alter table peer alter column position set default nextval('peer_position'), alter column recorded_at set default now();
`)
const log = openAppender(databaseUrl, { keys: TEST_KEYS })

const append = () => {
  const { stream, ...event } = newLead()
  return log.append({ stream, expectedVersion: 0, events: [event] })
}
const insert = () => {
  const { id, stream, type, data, subjectId, personal } = newLead()
  return pool`
    insert into peer (id, stream, version, type, schema_version, data, subject_id, personal)
    values (${id}, ${stream}, 1, ${type}, 1, ${pool.json(data)}, ${subjectId}, ${pool.json(personal)})`
}

const rows: string[][] = []
for (const callers of CALLERS) {
  await eventsPerSecond(callers, append)
  await eventsPerSecond(callers, insert)
  const rounds: { ours: number; peer: number }[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push({ ours: await eventsPerSecond(callers, append), peer: await eventsPerSecond(callers, insert) })
  }
  const ratio = median(rounds.map(({ ours, peer }) => ours / peer))
  rows.push([
    String(callers),
    median(rounds.map(({ ours }) => ours)).toFixed(0),
    median(rounds.map(({ peer }) => peer)).toFixed(0),
    ratio.toFixed(2),
    callers === 64 ? `at least ${REQUIRED_RATIO_AT_64}` : '',
  ])
}
printTable(['callers', 'append, events/s', 'INSERT, events/s', 'ratio', 'wanted'], rows)
await log.close()
await pool.end()
