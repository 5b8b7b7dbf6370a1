import { randomUUID } from 'node:crypto'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { inTransaction } from '../stores/connection.ts'
import type { Database } from '../stores/postgres/pool.ts'
import { postMessage } from '../testing/fixtures/samples.ts'
import { openOwnLog } from '../testing/own-log.ts'
import {
  advanceCheckpoint,
  type Checkpoint,
  deleteOldPositions,
  lockCheckpoint,
  prepareCheckpoint,
  readCheckpoint,
  readPosition,
  removeCheckpoint,
  resetCheckpoint,
} from './checkpoints.ts'

const ADVANCES = 5_000
/** An index may have grown by a level, and a read may begin on the page before: this does not grow with the steps. */
const MORE_PAGES = 6
const READER = { name: 'reader', version: 3 }
const OLDER = { name: 'reader', version: 2 }

const { sql, log: appender } = await openOwnLog()

beforeEach(async () => {
  await sql.unsafe('truncate checkpoints, checkpoint_positions')
  await prepareCheckpoint(sql, READER, { isFilled: true })
})

const own = async (key = READER) => (await readCheckpoint(sql, key)) as Checkpoint
const advanceTo = async (to: number, key = READER) => advanceCheckpoint(sql, key, { from: await own(key), to })
const positions = async () =>
  (await sql<{ position: number }[]>`select position from checkpoint_positions order by version, position`).map(
    ({ position }) => position,
  )

test('each version of a consumer has its own checkpoint', async () => {
  await prepareCheckpoint(sql, OLDER, { isFilled: false })
  await advanceTo(7)
  await advanceTo(4, OLDER)
  expect([await readPosition(sql, READER), await readPosition(sql, OLDER)]).toEqual([7, 4])
  expect([(await own()).isFilled, (await own(OLDER)).isFilled]).toEqual([true, false])
  await inTransaction(sql, (tx) => removeCheckpoint(tx, OLDER))
  expect([await readPosition(sql, READER), await readCheckpoint(sql, OLDER)]).toEqual([7, undefined])
})

test('preparing a checkpoint again does not move it', async () => {
  await advanceTo(5)
  await Promise.all([1, 2, 3].map(() => prepareCheckpoint(sql, READER, { isFilled: true })))
  expect(await positions()).toEqual([0, 5])
})

test('one process at a time locks a checkpoint, and the other versions stay free', async () => {
  await prepareCheckpoint(sql, OLDER, { isFilled: true })
  await inTransaction(sql, async (tx) => {
    expect(await lockCheckpoint(tx, READER)).toMatchObject({ position: 0, isSameEpoch: true })
    expect(await inTransaction(sql, (other) => lockCheckpoint(other, READER))).toBeUndefined()
    expect(await inTransaction(sql, (other) => lockCheckpoint(other, OLDER))).toBeDefined()
  })
})

test('a step that began before the checkpoint was reset does not move it', async () => {
  await advanceTo(9)
  const from = await own()
  await sql`update log_head set epoch = gen_random_uuid()`
  const { epoch } = await own()
  await inTransaction(sql, (tx) => resetCheckpoint(tx, READER, { epoch, position: 2 }))
  await advanceCheckpoint(sql, READER, { from, to: 12 })
  expect(await own()).toMatchObject({ position: 2, isSameEpoch: true })
  await advanceTo(3)
  expect(await readPosition(sql, READER)).toBe(3)
})

test('two processes that take the same batch leave one position, and the furthest one counts', async () => {
  const from = await own()
  await Promise.all([5, 5, 8, 5].map((to) => advanceCheckpoint(sql, READER, { from, to })))
  expect(await positions()).toEqual([0, 5, 8])
  expect(await readPosition(sql, READER)).toBe(8)
})

test('old positions are removed, by consecutive and by concurrent calls, and the newest stays', async () => {
  await sql`
    insert into checkpoint_positions (consumer, version, position)
    select 'reader', 3, position from generate_series(1, 2500) position`
  const deletedUpTo = new Map<string, number>()
  await Promise.all([deleteOldPositions(sql, deletedUpTo), deleteOldPositions(sql)])
  await deleteOldPositions(sql, deletedUpTo)
  expect(await positions()).toEqual([2_500])
  await advanceTo(2_600)
  await deleteOldPositions(sql, deletedUpTo)
  expect(await positions()).toEqual([2_600])
  const { epoch } = await own()
  await inTransaction(sql, (tx) => resetCheckpoint(tx, READER, { epoch, position: 10 }))
  await advanceTo(20)
  await deleteOldPositions(sql, deletedUpTo)
  expect(await positions()).toEqual([20])
})

/** The pages of tables and indexes that a query reads, once its connection has cached the catalog and the plan. */
const pagesOf = async (connection: Database, query: string) => {
  const explained = () =>
    connection.unsafe<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }[]>(
      `explain (analyze, buffers, format json) ${query}`,
    )
  await explained()
  const [row] = await explained()
  const plan = row?.['QUERY PLAN'][0].Plan
  return (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0)
}

test('while a backup holds its snapshot a checkpoint costs the same after 5,000 steps; an updated row does not', async () => {
  await appender.append(postMessage(randomUUID(), 'x'))
  await sql`create table updated (consumer text primary key, position bigint not null)`
  await sql`insert into updated values ('reader', 0)`
  const [backup, reader] = [await sql.reserve(), await sql.reserve()]
  onTestFinished(async () => {
    await backup`rollback`
    backup.release()
    reader.release()
  })
  await backup`begin transaction isolation level repeatable read`
  await backup`set local idle_in_transaction_session_timeout = 0`
  await backup`select count(*) from events`
  const ours = "select * from checkpoint_position('reader', 3)"
  const lock = "select 1 from checkpoints where consumer = 'reader' and version = 3 for update"
  const peer = "select position from updated where consumer = 'reader' for update"
  await advanceTo(1)
  const [before, lockBefore, peerBefore] = [
    await pagesOf(reader, ours),
    await pagesOf(reader, lock),
    await pagesOf(reader, peer),
  ]
  for (let position = 1; position <= ADVANCES; position += 1) {
    await inTransaction(sql, async (tx) => {
      const from = (await lockCheckpoint(tx, READER)) as Checkpoint
      await advanceCheckpoint(tx, READER, { from, to: position })
      await tx`update updated set position = ${position} where consumer = 'reader'`
    })
  }
  expect(await readPosition(sql, READER)).toBe(ADVANCES)
  expect(await pagesOf(reader, ours)).toBeLessThanOrEqual(before + MORE_PAGES)
  expect(await pagesOf(reader, lock)).toBe(lockBefore)
  expect(await pagesOf(reader, peer)).toBeGreaterThan(5 * peerBefore)
  await deleteOldPositions(sql)
  expect(await pagesOf(reader, ours)).toBeLessThanOrEqual(before + MORE_PAGES)
})
