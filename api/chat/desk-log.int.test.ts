import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chatDeskStream, type Party, type Receipt } from '../../events/chat-desk.ts'
import { propertyOptions } from '../../events/fixtures/property-options.ts'
import { postMessage } from '../../events/fixtures/samples.ts'
import { createTestDatabase } from '../../events/local/test-database.ts'
import { TEST_KEYS } from '../../events/local/test-keys.ts'
import { type Appender, openAppender } from '../../events/log/append.ts'
import { connect, type Sql } from '../../events/log/connection.ts'
import { readStream } from '../../events/log/read.ts'
import { openDesk } from './desk.ts'
import { noteReceipt } from './desk-log.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let sql: Sql
let appenders: Appender[]

beforeAll(async () => {
  database = await createTestDatabase()
  sql = connect(database.url, { max: 8, name: 'test', keys: TEST_KEYS })
  appenders = Array.from({ length: 3 }, () => openAppender(database.url, { keys: TEST_KEYS }))
})

afterAll(async () => {
  await Promise.all(appenders.map((appender) => appender.close()))
  await sql.end()
  await database.drop()
})

/** What happens: on one of three nodes somebody reports, alone or while others do, or a message is written. */
const report = fc.record({
  node: fc.nat(2),
  party: fc.constantFrom<Party>('visitor', 'admin'),
  delivered: fc.nat(12),
  seen: fc.nat(12),
})
const step = fc.oneof(fc.array(report, { minLength: 1, maxLength: 5 }), fc.constant('message' as const))

test('receipts that nodes note at once stand in the log in order, each once, and never past its messages', async () => {
  const isRight = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
    const sessionId = randomUUID()
    const nodes = appenders.map((log) => ({ sql, log, desk: openDesk(sessionId, [], () => {}) }))
    const expected = { visitor: { delivered: 0, seen: 0 }, admin: { delivered: 0, seen: 0 } }
    let written = 0
    for (const happening of steps) {
      if (happening === 'message') {
        await appenders[0]?.append(postMessage(sessionId, 'hello'))
        written += 1
        continue
      }
      await Promise.all(
        happening.map(async ({ node, party, ...receipt }) => {
          const at = nodes[node]
          if (at) await noteReceipt(at, at.desk, party, receipt)
        }),
      )
      for (const { party, delivered, seen } of happening) {
        const standing = expected[party]
        standing.seen = Math.max(standing.seen, Math.min(seen, written))
        standing.delivered = Math.max(standing.delivered, Math.min(delivered, written), standing.seen)
      }
      const noted = { visitor: { delivered: 0, seen: 0 }, admin: { delivered: 0, seen: 0 } }
      for (const event of await readStream(sql, chatDeskStream(sessionId))) {
        if (event.type !== 'ChatReceiptNoted') throw new Error(`${event.type} was noted`)
        const { party, ...receipt } = event.data
        const before: Receipt = noted[party]
        expect(receipt.delivered + receipt.seen).toBeGreaterThan(before.delivered + before.seen)
        expect(receipt.seen).toBeGreaterThanOrEqual(before.seen)
        expect(receipt.delivered).toBeGreaterThanOrEqual(before.delivered)
        noted[party] = receipt
      }
      expect(noted).toEqual(expected)
    }
  })
  await fc.assert(isRight, propertyOptions(30))
})
