import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../testing/database.ts'
import { connect, inTransaction, type Sql } from '../connection.ts'

const STATEMENT_TIMEOUT_MS = 1_500
/** The server's own limit and the grace for its response. */
const DEADLINE_MS = STATEMENT_TIMEOUT_MS + 2_000

let database: Awaited<ReturnType<typeof createTestDatabase>>
let sql: Sql

beforeAll(async () => {
  database = await createTestDatabase()
  sql = connect(database.url, { max: 2, name: 'pool', statementTimeoutMs: STATEMENT_TIMEOUT_MS })
})

afterAll(async () => {
  await sql.end({ timeout: 1 })
  await database.drop()
})

const codeOf = (outcome: PromiseSettledResult<unknown>) =>
  outcome.status === 'rejected' ? outcome.reason.code : outcome.status

test('a statement has its whole deadline, however long it waited for a connection', async () => {
  const began = performance.now()
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => sql`select pg_sleep(0.4)`))
  expect(performance.now() - began).toBeGreaterThan(DEADLINE_MS)
  expect(new Set(outcomes.map(codeOf))).toEqual(new Set(['fulfilled']))
})

test('a late statement loses its own connection and no other', async () => {
  const tx = await sql.reserve()
  await tx`set statement_timeout = 0`
  const late = Promise.allSettled([tx`select pg_sleep(20)`])
  const [before] = await sql`select pg_backend_pid() as pid`
  await delay(DEADLINE_MS - 200)
  const healthy = Promise.allSettled([sql`select pg_backend_pid() as pid, pg_sleep(0.4)`])
  expect((await late).map(codeOf)).toEqual(['DEADLINE'])
  expect((await healthy).map(codeOf)).toEqual(['fulfilled'])
  expect(await sql`select pg_backend_pid() as pid`).toEqual([before])
  tx.release()
  expect(await Promise.all(Array.from({ length: 4 }, () => sql`select 1 as one`))).toHaveLength(4)
})

test('a transaction that loses its connection leaves its place to another one', async () => {
  const kill = async () => {
    const lost = inTransaction(sql, async (tx) => {
      await tx`select pg_terminate_backend(pg_backend_pid())`
      await tx`select 1`
    })
    await expect(lost).rejects.toThrow()
  }
  for (let round = 0; round < 3; round += 1) await kill()
  const work = Array.from({ length: 4 }, (_, number) =>
    inTransaction(sql, (tx) => tx`select ${number}::integer as number`),
  )
  expect((await Promise.all(work)).map(([row]) => row?.number)).toEqual([0, 1, 2, 3])
})

test('statements beyond the queue’s length or wait are refused at once and not carried out', async () => {
  const small = connect(database.url, { max: 2, name: 'small', waiting: { most: 3, ms: 300 } })
  await small`select 1`
  const holding = [small`select pg_sleep(1)`, small`select pg_sleep(1)`].map((query) => query.then(() => undefined))
  const began = performance.now()
  const waiting = Array.from({ length: 5 }, () => small`select 1`.then(() => undefined))
  expect((await Promise.allSettled(waiting)).map(codeOf)).toEqual(Array(5).fill('BUSY'))
  expect(performance.now() - began).toBeLessThan(900)
  await Promise.all(holding)
  expect(await small`select 1 as one`).toEqual([{ one: 1 }])
  await small.end({ timeout: 1 })
  await expect(small`select 1`.then()).rejects.toMatchObject({ code: 'CONNECTION_ENDED' })
})
