import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createTestDatabase, testRedisUrl } from '../../events/testing/database.ts'
import { type FaultProxy, openFaultProxy } from '../../events/testing/fault-proxy.ts'
import { eventually, signIn, startTestNode, type TestNode } from '../../events/testing/node.ts'
import { openLedger } from '../../events/testing/soak/ledger.ts'
import { openVisitor, type Visitor } from '../../events/testing/soak/visitor.ts'
import { joinChat, openTestClient } from '../testing/socket-client.ts'

const PER_SECOND = 16
const VISITORS = 40
/** The number of joins admitted at one moment, and in each second after it. */
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

/** Lets all visitors write, and waits until everything is accepted: then all have joined. */
const allWrite = async (text: string) => {
  for (const [index, visitor] of visitors.entries()) visitor.say(`${text} ${index}`)
  await eventually(() => expect(visitors.filter(({ unsent }) => unsent > 0)).toHaveLength(0), BACK_WITHIN_MS)
}

test('clients that are disconnected together reconnect at the configured pace, all of them', async () => {
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

test('an outage of Postgres costs no handshake: clients stay, and ask again on their connections', async () => {
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

test('one address that floods the handshakes blocks neither another visitor nor a console: both connect at the first attempt', async () => {
  await allWrite('before the flood') // all admitted visitors are connected
  const staff = await signIn(node)
  const flood = { refused: 0, entered: 0, isOn: true }
  const knock = async () => {
    while (flood.isOn) {
      const client = await openTestClient(node, { 'x-forwarded-for': '198.51.100.66' }).catch(() => undefined)
      if (client) flood.entered += 1
      else flood.refused += 1
      client?.raw.terminate()
    }
  }
  const knocking = Array.from({ length: 16 }, knock)
  onTestFinished(async () => {
    flood.isOn = false
    await Promise.all(knocking)
  })
  for (let time = 0; time < 5; time += 1) {
    // the flood has had its half of the limit since then, which left as much for the two others
    const { refused, entered } = flood
    await eventually(() => {
      expect(flood.refused).toBeGreaterThan(refused + 20)
      expect(flood.entered).toBeGreaterThan(entered + 3)
    })
    const console = await openTestClient(node, { ...staff, 'x-forwarded-for': '198.51.100.66' })
    const { client } = await joinChat(node, 'Genuine', { 'x-forwarded-for': `198.51.100.${time}` })
    await Promise.all([console, client].map((each) => each.close()))
  }
})
