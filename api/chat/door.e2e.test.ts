import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FaultProxy, openFaultProxy } from '../../events/local/fault-proxy.ts'
import { openLedger } from '../../events/local/soak/ledger.ts'
import { openVisitor, type Visitor } from '../../events/local/soak/visitor.ts'
import { createTestDatabase, testRedisUrl } from '../../events/local/test-database.ts'
import { eventually, startTestNode, type TestNode } from '../../events/local/test-node.ts'

const PER_SECOND = 16
const VISITORS = 40
/** What the door lets in at one moment, and each second after it. */
const AT_ONCE = 4
const EACH_SECOND = 12
const BACK_WITHIN_MS = 100_000

let database: Awaited<ReturnType<typeof createTestDatabase>>
let postgres: FaultProxy
let front: FaultProxy
let node: TestNode
const ledger = openLedger()
let visitors: Visitor[]

beforeAll(async () => {
  database = await createTestDatabase()
  postgres = await openFaultProxy(database.url)
  const stores = { databaseUrl: postgres.url, redisUrl: await testRedisUrl() }
  node = await startTestNode(stores, { HANDSHAKES_PER_SECOND: String(PER_SECOND) })
  front = await openFaultProxy(node.url)
  visitors = Array.from({ length: VISITORS }, (_, index) =>
    openVisitor({
      name: `visitor ${index}`,
      ledger,
      headers: { origin: node.url, 'x-forwarded-for': `172.21.0.${index}` },
      pickUrl: () => front.url.replace(/\/$/, ''),
    }),
  )
})

afterAll(async () => {
  for (const visitor of visitors) visitor.close()
  await node.stop()
  await Promise.all([postgres.close(), front.close()])
  await database.drop()
})

/** Has all write, and waits until everything is accepted: then all are in. */
const allWrite = async (text: string) => {
  for (const [index, visitor] of visitors.entries()) visitor.say(`${text} ${index}`)
  await eventually(() => expect(visitors.filter(({ unsent }) => unsent > 0)).toHaveLength(0), BACK_WITHIN_MS)
}

test('clients that are cut off together come back at the configured pace, all of them', async () => {
  await allWrite('before')
  const handshakes = visitors.map((visitor) => visitor.handshakes)
  const accepted = front.accepted
  const began = performance.now()
  front.cut()
  await eventually(() => {
    const back = visitors.filter((visitor, index) => visitor.handshakes > (handshakes[index] ?? 0))
    expect(back).toHaveLength(VISITORS)
  }, BACK_WITHIN_MS)
  expect(performance.now() - began).toBeGreaterThan(((VISITORS - AT_ONCE) / EACH_SECOND) * 1_000 - 100)
  expect(front.accepted - accepted).toBeGreaterThan(VISITORS)
  await allWrite('after')
})

test('an outage of Postgres costs no handshake: clients stay, and ask again on the connection that they have', async () => {
  await allWrite('up')
  const { accepted } = front
  await postgres.refuse()
  for (const [index, visitor] of visitors.entries()) visitor.say(`down ${index}`)
  await eventually(async () => expect((await node.call('/readyz')).status).toBe(503))
  await postgres.resume()
  await allWrite('up again')
  expect(front.accepted).toBe(accepted)
  expect(ledger.flaws).toEqual([])
})
