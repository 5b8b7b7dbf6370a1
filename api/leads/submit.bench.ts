import process from 'node:process'
import { makePeerTable } from '../../events/local/bench/append-peers.ts'
import { FASTIFY, HONO_GROUP_COMMIT } from '../../events/local/bench/claims.ts'
import { aUnit } from '../../events/local/bench/cost.ts'
import { loadWith, postRequest } from '../../events/local/bench/http-load.ts'
import { LEAD_FORM } from '../../events/local/bench/leads.ts'
import { openMeter } from '../../events/local/bench/meter.ts'
import { installPeers, peerNode } from '../../events/local/bench/peers.ts'
import { OURS, paced, reportSeries } from '../../events/local/bench/reported.ts'
import { interleaved, LEAD_IN_MS, seriesOf } from '../../events/local/bench/rounds.ts'
import { newVisitor, startBenchNode } from '../../events/local/bench-nodes.ts'
import { freePort } from '../../events/local/port.ts'
import { connect } from '../../events/stores/connection.ts'
import { startTestProcess } from '../../events/testing/process.ts'

/**
 * POST /api/leads over 64 connections to one node, each request from another caller, compared with Fastify and with Hono
 * and a group commit, which validate by the same schema and store one row. No worker runs: the peers have none either.
 */

const CONNECTIONS = 64
const ROUND_MS = paced({ full: 2_000, quick: 500 })
const ROUNDS = paced({ full: 5, quick: 1 })

const { DATABASE_URL = '' } = process.env

const request = () => postRequest('/api/leads', LEAD_FORM, newVisitor())

const startPeer = async (name: string, env: { FRAMEWORK: string; GROUP_COMMIT?: string }) => {
  const port = await freePort()
  const { pid, stop } = await startTestProcess(peerNode('http'), { DATABASE_URL, PORT: String(port), ...env })
  return { name, port, pid, stop }
}

const startOurs = async () => {
  const { url, pid, stop } = await startBenchNode()
  return { name: OURS, port: Number(new URL(url).port), pid, stop }
}

const meter = await openMeter()
await installPeers()
const sql = connect(DATABASE_URL, { max: 1, name: 'bench' })
await makePeerTable(sql)
await sql.end()
const peers = [
  await startOurs(),
  await startPeer(FASTIFY, { FRAMEWORK: 'fastify' }),
  await startPeer(HONO_GROUP_COMMIT, { FRAMEWORK: 'hono', GROUP_COMMIT: '1' }),
]
const rounds = await interleaved(peers, ROUNDS, async ({ port, pid }) => {
  const load = (ms: number) => loadWith(port, { connections: CONNECTIONS, ms, request })
  await load(LEAD_IN_MS)
  const { result, cost } = await meter.during([pid], () => load(ROUND_MS))
  return { ...result, cost: aUnit(cost, result.requests) }
})
const names = peers.map(({ name }) => name)
reportSeries(
  'submit',
  seriesOf(names, rounds, ({ perSecond }) => perSecond),
  seriesOf(names, rounds, ({ cost }) => cost),
)
reportSeries(
  'submit-p99',
  seriesOf(names, rounds, ({ p99 }) => p99),
)
await Promise.all(peers.map(({ stop }) => stop()))
process.exit(0)
