import { randomUUID } from 'node:crypto'
import process from 'node:process'
import * as v from 'valibot'
import { leadStreams, submitLead } from '../lead.ts'
import { leadForm } from '../lead-form.ts'
import { median, printTable, quantile } from '../local/figures.ts'
import { TEST_KEYS } from '../local/test-keys.ts'
import { openAppender } from './append.ts'
import { groupCommit, makePeerTable, openGroupCommit, type Peer, singleInserts } from './append-peers.ts'
import { batchText, linesOf } from './batch-text.ts'
import { connect } from './connection.ts'
import { makeDataKey } from './key-ring.ts'
import { migrate } from './migrate.ts'

/**
 * Appending leads through the real path (validation, queue, encryption, hash chain, one call, commit with fsync), each of
 * a person of its own, so that each makes a data key too. Beside it in the same run: a bare group commit, which is the
 * limit, and one INSERT and commit an event over a pool. What encryption and chain cost is measured by one small writer,
 * with two batches on their way as the appender has, that calls `append_events` with both, and the same function without.
 */

const CALLERS = [1, 16, 64, 256]
const ROUND_MS = 1_000
const ROUNDS = 7
const PEER_CONNECTIONS = 10

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

const newLead = () => submitLead({ leadId: randomUUID(), form: v.parse(leadForm, filledIn) })

/** A request as the appender makes it of a lead. */
const requestOf = (event: ReturnType<typeof newLead>) => ({
  stream: leadStreams.of(event.subjectId),
  expectedVersion: 0,
  events: [{ id: randomUUID(), ...event }],
})

type Round = { perSecond: number; p50: number; p99: number }

const measure = async (callers: number, { write }: Pick<Peer, 'write'>): Promise<Round> => {
  const begin = performance.now()
  const latencies: number[] = []
  const caller = async () => {
    while (performance.now() - begin < ROUND_MS) {
      const sent = performance.now()
      await write()
      latencies.push(performance.now() - sent)
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  const perSecond = (latencies.length * 1000) / (performance.now() - begin)
  return { perSecond, p50: median(latencies), p99: quantile(latencies, 0.99) }
}

await migrate(databaseUrl)
const sql = connect(databaseUrl, { max: 1, name: 'bench' })
await makePeerTable(sql)
const [server] = await sql<{ version: string }[]>`select split_part(version(), ' ', 2) as version`
const [{ source = '' } = {}] = await sql<{ source: string }[]>`
  select pg_get_functiondef('append_events'::regproc) as source`
await sql.unsafe(
  source
    .replace('public.append_events', 'public.append_unchained')
    .replace(/chained := extend_chain\([\s\S]*?\);\s*hashes/, `chained := '\\x00'; hashes`),
)
process.stdout.write(`  Postgres ${server?.version}\n`)

const log = openAppender(databaseUrl, { keys: TEST_KEYS })
const ours: Peer = { name: 'append', write: () => log.append(requestOf(newLead())), close: () => log.close() }
const limit = groupCommit(databaseUrl, newLead)
const insert = singleInserts(databaseUrl, PEER_CONNECTIONS, newLead)

const metadata = JSON.stringify({
  actor: { type: 'visitor' },
  correlationId: randomUUID(),
  causationId: null,
  code: '',
})
const whole = openGroupCommit(databaseUrl, 'with encryption and chain', {
  inFlight: 2,
  row: () => {
    const event = newLead()
    const request = requestOf(event)
    const proposed = new Map([[event.subjectId, makeDataKey(TEST_KEYS.ring, event.subjectId)]])
    return batchText([{ request, lines: linesOf(request, { keys: TEST_KEYS, proposed, metadata }) }])
  },
  send: (sql, rows) => sql`select * from append_events(${rows.join('\n')}, '')`,
})
const plain = openGroupCommit(databaseUrl, 'without both', {
  inFlight: 2,
  row: () => {
    const { subjectId, data, personal, type } = newLead()
    const id = randomUUID()
    const text = Buffer.from(JSON.stringify(personal)).toString('base64')
    return [
      1,
      id,
      id,
      leadStreams.of(subjectId),
      0,
      type,
      2,
      JSON.stringify(data),
      subjectId,
      text,
      metadata,
      '',
      '',
    ].join('\t')
  },
  send: (sql, rows) => sql`select * from append_unchained(${rows.join('\n')}, '')`,
})

const rows: string[][] = []
const peers = [ours, limit, insert, whole, plain]
const wanted = (callers: number) => (callers === 64 ? '0.80 of the limit' : callers === 1 ? 'p50 1.40 of INSERT' : '')
for (const callers of CALLERS) {
  const rounds: Round[][] = []
  for (let round = -1; round < ROUNDS; round += 1) {
    const results: Round[] = []
    for (const peer of peers) results.push(await measure(callers, peer))
    if (round >= 0) rounds.push(results)
  }
  const of = (peer: Peer, figure: keyof Round) => rounds.map((results) => results[peers.indexOf(peer)]?.[figure] ?? 0)
  const ratio = (one: Peer, other: Peer, figure: keyof Round) => {
    const others = of(other, figure)
    return median(of(one, figure).map((value, index) => value / (others[index] ?? 1))).toFixed(2)
  }
  const shown = (peer: Peer) => median(of(peer, 'perSecond')).toFixed(0)
  rows.push([
    String(callers),
    ...[ours, limit, insert].map(shown),
    ratio(ours, limit, 'perSecond'),
    ratio(ours, insert, 'perSecond'),
    ratio(ours, insert, 'p50'),
    `${median(of(ours, 'p99')).toFixed(1)} ms`,
    ratio(whole, plain, 'perSecond'),
    wanted(callers),
  ])
}
printTable(
  [
    'callers',
    'append/s',
    'group commit/s',
    'INSERT/s',
    'of the limit',
    'of INSERT',
    'p50 of INSERT',
    'p99',
    'with encryption and chain, of without',
    'wanted',
  ],
  rows,
)
await Promise.all([...peers.map((peer) => peer.close()), sql.end()])
