import { randomUUID } from 'node:crypto'
import process from 'node:process'
import { makeDataKey } from '../keys/key-ring.ts'
import { leadStreams } from '../lead/lead.ts'
import { groupCommit, makePeerTable, openGroupCommit, type Peer, singleInserts } from '../local/bench/append-peers.ts'
import { leadRequest, newLead } from '../local/bench/leads.ts'
import { installPeers, openAppendPeer } from '../local/bench/peers.ts'
import { OURS, paced, reportSeries } from '../local/bench/reported.ts'
import { interleaved, seriesOf } from '../local/bench/rounds.ts'
import { median, printTable, quantile } from '../local/figures.ts'
import { connect } from '../stores/connection.ts'
import { TEST_KEYS } from '../testing/keys.ts'
import { openAppender } from './append.ts'
import { batchText, linesOf } from './batch-text.ts'
import { migrate } from './migrate.ts'

/**
 * Appends leads through the real path (validation, queue, encryption, hash chain, one call, commit with fsync), each
 * with its own person, so each makes a data key too. In the same run: a bare group commit, which is the limit; one
 * INSERT and commit per event over a pool; emmett and message-db. The cost of encryption and chain is measured by one
 * small writer, with two batches in flight like the appender, that calls `append_events` with both, and the same
 * function without.
 *
 * Measured on a noisy machine with two cores, 64 callers, with encryption, hash chain and a new data key per event:
 * 11,100 events/s on Postgres 18; 0.51 of a bare group commit, 1.5 times one INSERT per event, 4.0 times emmett, 4.8
 * times message-db.
 */

const CALLERS = paced({ full: [1, 16, 64, 256], report: [1, 16, 64], quick: [1, 16, 64] })
const ROUND_MS = paced({ full: 1_000, quick: 200 })
const ROUNDS = paced({ full: 7, report: 4, quick: 1 })
const PEER_CONNECTIONS = 10

const databaseUrl = process.env.DATABASE_URL ?? ''

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
    .replace(/chained := sha256\([\s\S]*?\);\s*stored/, `chained := '\\x00'; stored`),
)
process.stdout.write(`  Postgres ${server?.version}\n`)

const log = openAppender(databaseUrl, { keys: TEST_KEYS })
const ours: Peer = { name: OURS, write: () => log.append(leadRequest(newLead())), close: () => log.close() }
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
    const request = leadRequest(event)
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

await installPeers()
const emmett = await openAppendPeer('emmett', databaseUrl, newLead)
const messageDb = await openAppendPeer('message-db', databaseUrl, newLead)

const rows: string[][] = []
const stores = [ours, limit, insert, emmett, messageDb]
const peers = [...stores, ...paced({ full: [whole, plain], report: [], quick: [] })]
const wanted = (callers: number) =>
  callers === 1
    ? 'p50 1.40 of INSERT'
    : callers === 256
      ? ''
      : `0.80 of the limit${callers === 64 ? ', 6 of emmett' : ''}`
for (const callers of CALLERS) {
  const rounds = await interleaved(peers, ROUNDS, (peer) => measure(callers, peer))
  const of = (peer: Peer, figure: keyof Round) => (rounds[peers.indexOf(peer)] ?? []).map((round) => round[figure])
  const ratio = (one: Peer, other: Peer, figure: keyof Round) => {
    const others = of(other, figure)
    const ratios = of(one, figure).map((value, index) => value / (others[index] ?? 1))
    return ratios.length === 0 ? '' : median(ratios).toFixed(2)
  }
  const figure = callers === 1 ? 'p50' : 'perSecond'
  const names = stores.map(({ name }) => name)
  reportSeries(
    `append-${callers}`,
    seriesOf(names, rounds, (round) => round[figure]),
  )
  rows.push([
    String(callers),
    ...stores.map((peer) => median(of(peer, 'perSecond')).toFixed(0)),
    ratio(ours, limit, 'perSecond'),
    ratio(ours, insert, 'perSecond'),
    ratio(ours, emmett, 'perSecond'),
    ratio(ours, messageDb, 'perSecond'),
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
    'emmett/s',
    'message-db/s',
    'of the limit',
    'of INSERT',
    'of emmett',
    'of message-db',
    'p50 of INSERT',
    'p99',
    'with encryption and chain, of without',
    'wanted',
  ],
  rows,
)
await Promise.all([...[...stores, whole, plain].map((peer) => peer.close()), sql.end()])
