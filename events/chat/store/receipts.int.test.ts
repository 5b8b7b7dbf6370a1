import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Appender, openAppender } from '../../log/append.ts'
import { readHead } from '../../log/read.ts'
import { connect, type Sql } from '../../stores/connection.ts'
import { createTestDatabase } from '../../testing/database.ts'
import { propertyOptions } from '../../testing/fixtures/property-options.ts'
import { postMessage } from '../../testing/fixtures/samples.ts'
import { TEST_KEYS } from '../../testing/keys.ts'
import { chatActivityStreams, chatErased, NO_RECEIPTS, type Receipt, type Receipts } from '../activity.ts'
import type { Party } from '../parties.ts'
import { noteReceipt, readReceipts, readReceiptsOf } from './receipts.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
/** The pools of three nodes. */
let nodes: [Sql, Sql, Sql]
let sql: Sql
let appender: Appender

beforeAll(async () => {
  database = await createTestDatabase()
  const open = () => connect(database.url, { max: 4, name: 'test', keys: TEST_KEYS })
  nodes = [open(), open(), open()]
  ;[sql] = nodes
  appender = openAppender(database.url, { keys: TEST_KEYS })
})

afterAll(async () => {
  await appender.close()
  await Promise.all(nodes.map((node) => node.end()))
  await database.drop()
})

const write = async (sessionId: string, messages: number) => {
  for (let count = 0; count < messages; count += 1) await appender.append(postMessage(sessionId, 'hello'))
}

/** One step: on one of three nodes a party reports, alone or while others do, or a message is written. */
const report = fc.record({
  node: fc.nat(2),
  party: fc.constantFrom<Party>('visitor', 'admin'),
  delivered: fc.oneof(fc.nat(12), fc.constant(Number.MAX_SAFE_INTEGER)),
  seen: fc.nat(12),
})
const step = fc.oneof(fc.array(report, { minLength: 1, maxLength: 5 }), fc.constant('message' as const))

const advanced = (receipts: Receipts, { party, delivered, seen }: Receipt & { party: Party }, written: number) => {
  const known = receipts[party]
  const furthestSeen = Math.max(known.seen, Math.min(seen, written))
  const furthest = Math.max(known.delivered, Math.min(delivered, written), furthestSeen)
  return { ...receipts, [party]: { delivered: furthest, seen: furthestSeen } }
}

test('receipts that nodes store at once never decrease nor exceed the last message, and each is news on one of them', async () => {
  const isRight = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
    const sessionId = randomUUID()
    let expected: Receipts = NO_RECEIPTS
    let written = 0
    for (const happening of steps) {
      if (happening === 'message') {
        await write(sessionId, 1)
        written += 1
        continue
      }
      const news = await Promise.all(
        happening.map(async ({ node, party, ...receipt }) => {
          const noted = await noteReceipt(nodes[node] ?? sql, sessionId, party, receipt)
          return noted ? [`${party} ${noted.delivered} ${noted.seen}`] : []
        }),
      )
      const before = expected
      for (const each of happening) expected = advanced(expected, each, written)
      const told = news.flat()
      expect(new Set(told).size).toBe(told.length)
      for (const party of ['visitor', 'admin'] as const) {
        const { delivered, seen } = expected[party]
        const isNews = delivered > before[party].delivered || seen > before[party].seen
        expect(told.includes(`${party} ${delivered} ${seen}`)).toBe(isNews)
      }
      expect(await readReceiptsOf(sql, sessionId)).toEqual(expected)
    }
  })
  await fc.assert(isRight, propertyOptions(30))
})

test('10,000 reports on two nodes leave two rows and nothing in the log', async () => {
  const sessionId = randomUUID()
  await write(sessionId, 5)
  const head = await readHead(sql)
  const reports = Array.from({ length: 10_000 }, (_, count) => {
    const party = count % 2 === 0 ? 'visitor' : 'admin'
    const receipt = { delivered: 1 + (count % 7), seen: count % 5 }
    return noteReceipt(nodes[count % 3 === 0 ? 0 : 1], sessionId, party, receipt)
  })
  const news = (await Promise.all(reports)).filter((noted) => noted !== undefined)
  expect(news.length).toBeLessThanOrEqual(20)
  const rows =
    await sql`select party, delivered, seen from chat_receipts where session_id = ${sessionId} order by party`
  expect([...rows]).toEqual([
    { party: 'admin', delivered: 5, seen: 4 },
    { party: 'visitor', delivered: 5, seen: 4 },
  ])
  expect(await readHead(sql)).toEqual(head)
})

test('a repeated or older report is no news, and writes nothing', async () => {
  const sessionId = randomUUID()
  await write(sessionId, 3)
  expect(await noteReceipt(sql, sessionId, 'visitor', { delivered: 3, seen: 2 })).toEqual({ delivered: 3, seen: 2 })
  const row = () => sql`select xmin, ctid, * from chat_receipts where session_id = ${sessionId}`
  const before = [...(await row())]
  for (const old of [
    { delivered: 3, seen: 2 },
    { delivered: 2, seen: 2 },
    { delivered: 9, seen: 1 },
    { delivered: 0, seen: 0 },
  ]) {
    expect(await noteReceipt(sql, sessionId, 'visitor', old)).toBeUndefined()
  }
  expect([...(await row())]).toEqual(before)
})

test('nothing is stored for a chat without messages, or for an erased one', async () => {
  const [empty, erased] = [randomUUID(), randomUUID()]
  await write(erased, 1)
  const events = [{ id: randomUUID(), ...chatErased({ by: randomUUID() }) }]
  await appender.append({ stream: chatActivityStreams.of(erased), expectedVersion: 'any', events })
  for (const id of [empty, erased]) {
    expect(await noteReceipt(sql, id, 'visitor', { delivered: 1, seen: 1 })).toBeUndefined()
    expect(await readReceiptsOf(sql, id)).toEqual(NO_RECEIPTS)
  }
})

test('the receipts of many chats are read at once, including those without any', async () => {
  const [one, none] = [randomUUID(), randomUUID()]
  await write(one, 2)
  await noteReceipt(sql, one, 'admin', { delivered: 2, seen: 1 })
  expect(await readReceipts(sql, [one, none])).toEqual(
    new Map([
      [one, { ...NO_RECEIPTS, admin: { delivered: 2, seen: 1 } }],
      [none, NO_RECEIPTS],
    ]),
  )
  expect(await readReceipts(sql, [])).toEqual(new Map())
})
