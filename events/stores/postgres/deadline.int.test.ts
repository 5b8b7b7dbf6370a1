import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { createTestDatabase } from '../../testing/database.ts'
import { type FaultProxy, openFaultProxy } from '../../testing/fault-proxy.ts'
import { connect, inTransaction, type Sql } from '../connection.ts'

const STATEMENT_TIMEOUT_MS = 500

let database: Awaited<ReturnType<typeof createTestDatabase>>
let proxy: FaultProxy
let sql: Sql

beforeAll(async () => {
  database = await createTestDatabase()
  proxy = await openFaultProxy(database.url)
  sql = connect(proxy.url, { max: 2, name: 'deadline', statementTimeoutMs: STATEMENT_TIMEOUT_MS })
})

afterAll(async () => {
  await sql.end({ timeout: 1 })
  await proxy.close()
  await database.drop()
})

test('queries without a response fail by their deadline, and the next ones run on new connections', async () => {
  await sql`select 1`
  proxy.stall()
  const late = await Promise.allSettled([sql`select 1`, sql.unsafe('select 2'), sql`select 3`])
  expect(late.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : outcome.status))).toEqual([
    'DEADLINE',
    'DEADLINE',
    'DEADLINE',
  ])
  proxy.resume()
  expect(await sql`select 4 as answer`).toEqual([{ answer: 4 }])
})

test('a transaction without a response fails by its deadline, and the next one runs', async () => {
  const stalled = inTransaction(sql, async (tx) => {
    proxy.stall()
    await tx`select 1`
  })
  await expect(stalled).rejects.toMatchObject({ code: 'DEADLINE' })
  proxy.resume()
  expect(await inTransaction(sql, (tx) => tx`select 5 as answer`)).toEqual([{ answer: 5 }])
})

test('fragments, lists and documents go into a query as ever', async () => {
  const condition = sql`where number > ${1}`
  const rows = await sql`
    select number, ${sql.json({ a: 1 })}::jsonb as document
    from unnest(${[1, 2, 3]}::int[]) as number ${condition} and number in ${sql([2, 3])} order by 1`
  expect(rows).toEqual([
    { number: 2, document: { a: 1 } },
    { number: 3, document: { a: 1 } },
  ])
})

test('a statement that takes too long is ended by the server, not by the deadline', async () => {
  await expect(sql`select pg_sleep(2)`).rejects.toMatchObject({ code: '57014' })
})

test('transactions that wait for a repeatedly lost connection run or fail, and none waits for ever', async () => {
  const lone = connect(proxy.url, { max: 1, name: 'lone' })
  proxy.stall()
  const before = proxy.accepted
  const waiting = Array.from({ length: 4 }, () => inTransaction(lone, (tx) => tx`select 1 as answer`))
  let isSettled = false
  const settled = Promise.allSettled(waiting).finally(() => {
    isSettled = true
  })
  const connects = (times: number) => vi.waitFor(() => expect(isSettled || proxy.accepted >= before + times).toBe(true))
  for (const times of [1, 2]) {
    await connects(times)
    proxy.cut()
  }
  await connects(3)
  proxy.resume()
  for (const outcome of await settled) {
    if (outcome.status === 'rejected') expect(outcome.reason.code).toMatch(/CONN/)
  }
  expect(await inTransaction(lone, (tx) => tx`select 2 as answer`)).toEqual([{ answer: 2 }])
  await lone.end({ timeout: 1 })
}, 20_000)

test('a response that came while the process was busy is not late', async () => {
  // the proxy would have no time either
  const direct = connect(database.url, { max: 1, name: 'busy', statementTimeoutMs: STATEMENT_TIMEOUT_MS })
  onTestFinished(() => direct.end({ timeout: 1 }))
  await direct`select 1`
  const asked = direct`select 6 as answer, pg_sleep(0.3)`.then((rows) => rows)
  await delay(100) // it has been sent by now
  await new Promise((resolve) => setImmediate(resolve)) // next in the event loop are timers, and only then responses
  const until = performance.now() + STATEMENT_TIMEOUT_MS + 3_000
  while (performance.now() < until);
  expect(await asked).toMatchObject([{ answer: 6 }])
})
