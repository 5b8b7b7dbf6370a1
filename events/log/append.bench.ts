import { randomUUID } from 'node:crypto'
import process from 'node:process'
import { chatMessagePosted, messageStreams } from '../chat/chat.ts'
import { groupCommit, makePeerTable, type Peer, singleInserts } from '../local/bench/append-peers.ts'
import { SHORT_STREAMS } from '../local/bench/claims.ts'
import { aUnit, type Cost } from '../local/bench/cost.ts'
import { leadRequest, newLead } from '../local/bench/leads.ts'
import { openMeter } from '../local/bench/meter.ts'
import { installPeers, openAppendPeer } from '../local/bench/peers.ts'
import { OURS, paced, reportSeries } from '../local/bench/reported.ts'
import { interleaved, seriesOf } from '../local/bench/rounds.ts'
import { median } from '../local/figures.ts'
import { connect } from '../stores/connection.ts'
import { TEST_KEYS } from '../testing/keys.ts'
import { openAppender } from './append.ts'
import { migrate } from './migrate.ts'

/**
 * Appends leads through the real path (validation, queue, encryption, hash chain, one call, commit with fsync), each
 * with its own person, so each makes a data key too. In the same run: a bare group commit, which is the limit; one
 * INSERT and commit per event over a pool; emmett and message-db. Then appends messages to long streams and to short ones.
 */

const CALLERS = paced({ full: [1, 16, 64, 256], report: [64], quick: [64] })
const ROUND_MS = paced({ full: 1_000, report: 2_000, quick: 200 })
const ROUNDS = paced({ full: 7, report: 5, quick: 1 })
const PEER_CONNECTIONS = 10

/** The streams that a round appends to, one caller for each long one. */
const LONG_STREAMS = 8
const LONG = paced({ full: 10_000, quick: 500 })
const APPENDS = paced({ full: 4_000, quick: 400 })
/** The events of a request that fills a stream. */
const FILLED_AT_ONCE = 100

const databaseUrl = process.env.DATABASE_URL ?? ''

type Round = { perSecond: number; p50: number; cost: Cost }

const meter = await openMeter()
await migrate(databaseUrl)
const sql = connect(databaseUrl, { max: 1, name: 'bench' })
await makePeerTable(sql)
await sql.end()
const log = openAppender(databaseUrl, { keys: TEST_KEYS })
await installPeers()
const peers: Peer[] = [
  { name: OURS, write: () => log.append(leadRequest(newLead())), close: () => log.close() },
  groupCommit(databaseUrl, newLead),
  singleInserts(databaseUrl, PEER_CONNECTIONS, newLead),
  await openAppendPeer('emmett', databaseUrl, newLead),
  await openAppendPeer('message-db', databaseUrl, newLead),
]

const measure = async (callers: number, { write }: Peer): Promise<Round> => {
  const begin = performance.now()
  const latencies: number[] = []
  const caller = async () => {
    while (performance.now() - begin < ROUND_MS) {
      const sent = performance.now()
      await write()
      latencies.push(performance.now() - sent)
    }
  }
  const { cost } = await meter.during([process.pid], () => Promise.all(Array.from({ length: callers }, caller)))
  const perSecond = (latencies.length * 1_000) / (performance.now() - begin)
  return { perSecond, p50: median(latencies), cost: aUnit(cost, latencies.length) }
}

const names = peers.map(({ name }) => name)
for (const callers of CALLERS) {
  const rounds = await interleaved(peers, ROUNDS, (peer) => measure(callers, peer))
  const figure = callers === 1 ? 'p50' : 'perSecond'
  const series = seriesOf(names, rounds, (round) => round[figure])
  const costs = seriesOf(names, rounds, ({ cost }) => cost)
  reportSeries(`append-${callers}`, series, costs)
}

type Stream = { sessionId: string; stream: string }
const newStreams = (count: number): Stream[] =>
  Array.from({ length: count }, () => {
    const sessionId = randomUUID()
    return { sessionId, stream: messageStreams.of(sessionId) }
  })

const say = ({ sessionId, stream }: Stream, count = 1) => {
  const personal = { senderName: 'Ana', message: 'Do you also build shops?', clientMessageId: null }
  const event = chatMessagePosted({ senderType: 'visitor' }, { subjectId: sessionId, personal })
  const events = Array.from({ length: count }, () => ({ id: randomUUID(), ...event }))
  return log.append({ stream, expectedVersion: 'any', events })
}

const long = newStreams(LONG_STREAMS)
for (let length = 0; length < LONG; length += FILLED_AT_ONCE) {
  await Promise.all(long.map((stream) => say(stream, FILLED_AT_ONCE)))
}

/** Streams for all appends of a round. */
const streamsOf = {
  [OURS]: async () => Array.from({ length: APPENDS / LONG_STREAMS }, () => long).flat(),
  [SHORT_STREAMS]: async () => {
    const fresh = newStreams(APPENDS)
    await Promise.all(fresh.map((stream) => say(stream)))
    return fresh
  },
}
const lengths = [OURS, SHORT_STREAMS] as const
const rounds = await interleaved(lengths, ROUNDS, async (length) => {
  const streams = await streamsOf[length]()
  const begin = performance.now()
  const caller = async (_: unknown, first: number) => {
    for (let index = first; index < streams.length; index += LONG_STREAMS) await say(streams[index] as Stream)
  }
  const { cost } = await meter.during([process.pid], () => Promise.all(Array.from({ length: LONG_STREAMS }, caller)))
  return { took: ((performance.now() - begin) * 1_000) / APPENDS, cost: aUnit(cost, APPENDS) }
})
reportSeries(
  'append-long',
  seriesOf(lengths, rounds, ({ took }) => took),
  seriesOf(lengths, rounds, ({ cost }) => cost),
)
await Promise.all(peers.map((peer) => peer.close()))
