import process from 'node:process'
import { makePeerTable } from '../../events/local/bench/append-peers.ts'
import { EXPRESS, FASTIFY, HONO, HONO_GROUP_COMMIT } from '../../events/local/bench/claims.ts'
import { type HttpRound, loadWith, postRequest } from '../../events/local/bench/http-load.ts'
import { LEAD_FORM } from '../../events/local/bench/leads.ts'
import { installPeers, peerNode } from '../../events/local/bench/peers.ts'
import { OURS, paced, reportSeries } from '../../events/local/bench/reported.ts'
import { interleaved, seriesOf } from '../../events/local/bench/rounds.ts'
import { newVisitor, startBenchNode } from '../../events/local/bench-nodes.ts'
import { figureOf, median, printTable } from '../../events/local/figures.ts'
import { freePort } from '../../events/local/port.ts'
import { connect } from '../../events/stores/connection.ts'
import { startTestProcess } from '../../events/testing/process.ts'

/**
 * POST /api/leads over 64 connections to one node, each request from another caller, compared with frameworks that
 * validate by the same schema and store one row. No worker runs: the peers have none either.
 */

const CONNECTIONS = 64
const ROUND_MS = paced({ full: 2_000, report: 1_500, quick: 500 })
const ROUNDS = paced({ full: 5, report: 4, quick: 1 })

const { DATABASE_URL = '' } = process.env

const request = () => postRequest('/api/leads', LEAD_FORM, newVisitor())

const startPeer = async (name: string, env: { FRAMEWORK: string; GROUP_COMMIT?: string }) => {
  const port = await freePort()
  const { stop } = await startTestProcess(peerNode('http'), { DATABASE_URL, PORT: String(port), ...env })
  return { name, port, stop }
}

const startOurs = async () => {
  const { url, stop } = await startBenchNode()
  return { name: OURS, port: Number(new URL(url).port), stop }
}

await installPeers()
const sql = connect(DATABASE_URL, { max: 1, name: 'bench' })
await makePeerTable(sql)
await sql.end()
const peers = [
  await startOurs(),
  await startPeer(FASTIFY, { FRAMEWORK: 'fastify' }),
  await startPeer(EXPRESS, { FRAMEWORK: 'express' }),
  await startPeer(HONO, { FRAMEWORK: 'hono' }),
  await startPeer(HONO_GROUP_COMMIT, { FRAMEWORK: 'hono', GROUP_COMMIT: '1' }),
]
const rounds = await interleaved(peers, ROUNDS, ({ port }) =>
  loadWith(port, { connections: CONNECTIONS, ms: ROUND_MS, request }),
)
const names = peers.map(({ name }) => name)
reportSeries(
  'submit',
  seriesOf(names, rounds, ({ perSecond }) => perSecond),
)
reportSeries(
  'submit-p99',
  seriesOf(names, rounds, ({ p99 }) => p99),
)
printTable(
  ['POST /api/leads', 'requests/s', 'of Fastify', 'p99 ms', 'of Fastify'],
  names.map((name, index) => {
    const of = (figure: keyof HttpRound) => (rounds[index] ?? []).map((round) => round[figure])
    const ofFastify = (figure: keyof HttpRound) =>
      median(of(figure).map((value, round) => value / (rounds[1]?.[round]?.[figure] ?? Number.NaN))).toFixed(2)
    const [perSecond, p99] = [median(of('perSecond')).toFixed(0), figureOf(median(of('p99')))]
    return [name, perSecond, ofFastify('perSecond'), p99, ofFastify('p99')]
  }),
)
await Promise.all(peers.map(({ stop }) => stop()))
process.exit(0)
