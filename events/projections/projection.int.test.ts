import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { postMessage } from '../fixtures/samples.ts'
import { createTestDatabase } from '../local/test-database.ts'
import { TEST_KEYS } from '../local/test-keys.ts'
import { type Appender, openAppender } from '../log/append.ts'
import { connect, type Sql } from '../log/connection.ts'
import { LogIntegrityError, readHead } from '../log/read.ts'
import { assertSameHistory, type Projection, prepareProjection, project, rebuildProjection } from './projection.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let sql: Sql
let appender: Appender

/** A view that cannot take an event twice: a row for each. */
const tally: Projection = {
  name: 'tally',
  version: 1,
  tables: (schema) => `create table ${schema}.tally (position bigint primary key)`,
  indexes: () => '',
  apply: async (tx, schema, events) => {
    const positions = events.map(({ position }) => position)
    return [tx`insert into ${tx(schema)}.tally select unnest(${positions}::bigint[])`]
  },
}

beforeAll(async () => {
  database = await createTestDatabase()
  sql = connect(database.url, { max: 12, name: 'test', keys: TEST_KEYS })
  appender = openAppender(database.url, { keys: TEST_KEYS })
})

beforeEach(async () => {
  await sql.unsafe(`truncate events, checkpoints;
    drop schema if exists view_tally cascade; drop schema if exists view_tally_next cascade`)
})

afterAll(async () => {
  await appender.close()
  await sql.end()
  await database.drop()
})

const appendMany = (count: number) =>
  Promise.all(Array.from({ length: count }, () => appender.append(postMessage(randomUUID(), 'x'))))

const projectAll = async (projection: Projection) => {
  while ((await project(sql, projection)).hasMore);
}

const tallied = async () =>
  (await sql<{ position: number }[]>`select position from view_tally.tally order by position`).map(
    ({ position }) => position,
  )
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)
const checkpoint = async () => (await sql`select position, version from checkpoints where consumer = 'tally'`)[0]

test('a view is made once, however many workers start at once', async () => {
  const prepared = await Promise.all(Array.from({ length: 6 }, () => prepareProjection(sql, tally)))
  expect(prepared).toEqual(prepared.map(() => ({ isStale: false })))
  expect(await checkpoint()).toEqual({ position: 0, version: 1 })
  expect(await tallied()).toEqual([])
})

test('a step takes a batch and says whether there may be more', async () => {
  await prepareProjection(sql, tally)
  expect(await project(sql, tally)).toEqual({ advanced: false, hasMore: false })
  await appendMany(1_200)
  expect(await project(sql, tally)).toEqual({ advanced: true, hasMore: true })
  expect(await checkpoint()).toEqual({ position: 1_000, version: 1 })
  expect(await project(sql, tally)).toEqual({ advanced: true, hasMore: false })
  expect(await tallied()).toEqual(upTo(1_200))
})

test('several workers at once take each event once, while more arrive', async () => {
  await prepareProjection(sql, tally)
  let isWriting = true
  const writing = (async () => {
    for (let round = 0; round < 30; round++) await appendMany(20)
  })().finally(() => {
    isWriting = false
  })
  let steps = 0
  const work = async () => {
    while (isWriting) if ((await project(sql, tally)).advanced) steps += 1
  }
  await Promise.all([writing, work(), work(), work()])
  await projectAll(tally)
  expect(await tallied()).toEqual(upTo(600))
  expect(await checkpoint()).toEqual({ position: 600, version: 1 })
  expect(steps).toBeGreaterThan(1)
})

test('a step that fails leaves the view and its checkpoint where they were', async () => {
  await prepareProjection(sql, tally)
  await appendMany(3)
  const failing: Projection = {
    ...tally,
    apply: async (tx, schema, events) => [...(await tally.apply(tx, schema, events)), tx`select 1 / 0`],
  }
  await expect(project(sql, failing)).rejects.toThrow('division by zero')
  expect(await tallied()).toEqual([])
  expect(await checkpoint()).toEqual({ position: 0, version: 1 })
  await projectAll(tally)
  expect(await tallied()).toEqual(upTo(3))
})

test('a hole in the log stops a view before it', async () => {
  await prepareProjection(sql, tally)
  await appendMany(5)
  await sql`delete from events where position = 4`
  await expect(project(sql, tally)).rejects.toThrow(LogIntegrityError)
  expect(await tallied()).toEqual([])
})

test('a view of another version is stale: it is not written until it has been rebuilt', async () => {
  const newer: Projection = { ...tally, version: 2 }
  await prepareProjection(sql, tally)
  await appendMany(3)
  await projectAll(tally)
  expect(await prepareProjection(sql, newer)).toEqual({ isStale: true })
  await expect(project(sql, newer)).rejects.toThrow(
    new LogIntegrityError('The view tally is of version 1, this code of 2'),
  )
  expect(await rebuildProjection(database.url, newer)).toBe(3)
  expect(await prepareProjection(sql, newer)).toEqual({ isStale: false })
  await appendMany(1)
  await projectAll(newer)
  expect(await tallied()).toEqual(upTo(4))
  await expect(project(sql, tally)).rejects.toThrow('The view tally is of version 2, this code of 1')
})

test('a restored backup halts a view, and a rebuild sets it going again', async () => {
  await prepareProjection(sql, tally)
  await appendMany(3)
  await projectAll(tally)
  await sql`update log_head set epoch = gen_random_uuid()`
  await expect(project(sql, tally)).rejects.toThrow(
    new LogIntegrityError('The checkpoint of tally (3) is not of this log (at 3): after a restored backup, rebuild'),
  )
  await rebuildProjection(database.url, tally)
  expect(await project(sql, tally)).toEqual({ advanced: false, hasMore: false })

  await sql`delete from events where position = 3`
  await expect(project(sql, tally)).rejects.toThrow('The checkpoint of tally (3) is not of this log (at 2)')
  await rebuildProjection(database.url, tally)
  expect(await tallied()).toEqual([1, 2])
})

test.each([
  ['at the head', { isSameEpoch: true, position: 7, head: 7 }, true],
  ['behind the head', { isSameEpoch: true, position: 0, head: 7 }, true],
  ['past the head', { isSameEpoch: true, position: 8, head: 7 }, false],
  ['of another epoch', { isSameEpoch: false, position: 3, head: 7 }, false],
])('of a checkpoint %s it is known whether it is of this log', (_, point, isSame) => {
  const assert = () => assertSameHistory('reader', point)
  if (isSame) expect(assert).not.toThrow()
  else expect(assert).toThrow(LogIntegrityError)
})

test('a rebuild says how far it has come', async () => {
  await prepareProjection(sql, tally)
  await appendMany(4_500)
  const progress: unknown[] = []
  expect(await rebuildProjection(database.url, tally, { onProgress: (each) => progress.push(each) })).toBe(4_500)
  expect(progress).toEqual([2_000, 4_000, 4_500].map((position) => ({ position, head: 4_500 })))
  expect(await tallied()).toEqual(upTo(4_500))
  expect(await checkpoint()).toEqual({ position: 4_500, version: 1 })
})

test('a rebuild reads of the view all that it has written before', async () => {
  await prepareProjection(sql, tally)
  await appendMany(6_500)
  const seen: unknown[] = []
  const looking: Projection = {
    ...tally,
    apply: async (tx, schema, events) => {
      const [row] = await tx`select count(*) from ${tx(schema)}.tally`
      seen.push(row?.count)
      return [tx`select pg_sleep(0.2)`, ...(await tally.apply(tx, schema, events))]
    },
  }
  expect(await rebuildProjection(database.url, looking)).toBe(6_500)
  expect(seen).toEqual([0, 2_000, 4_000, 6_000])
})

test('rebuilds of one view run one after the other, while workers go on and events arrive', async () => {
  await prepareProjection(sql, tally)
  await appendMany(500)
  await projectAll(tally)
  let isRebuilding = true
  const rebuilding = Promise.all([1, 2, 3].map(() => rebuildProjection(database.url, tally))).finally(() => {
    isRebuilding = false
  })
  const write = async () => {
    while (isRebuilding) await appendMany(10)
  }
  const work = async () => {
    while (isRebuilding) await project(sql, tally)
  }
  const read = async () => {
    let last = 500
    while (isRebuilding) {
      const count = (await tallied()).length
      expect(count).toBeGreaterThanOrEqual(last)
      last = count
    }
  }
  await Promise.all([rebuilding, write(), work(), work(), read(), read()])
  await projectAll(tally)
  expect(await tallied()).toEqual(upTo((await readHead(sql)).position))
})

test('a rebuild that fails leaves the old view serving, and the next one succeeds', async () => {
  await prepareProjection(sql, tally)
  await appendMany(5)
  await projectAll(tally)
  const failing: Projection = {
    ...tally,
    version: 2,
    apply: async (tx) => [tx`select 1 / 0`],
  }
  await expect(rebuildProjection(database.url, failing)).rejects.toThrow('division by zero')
  expect(await checkpoint()).toEqual({ position: 5, version: 1 })
  await appendMany(1)
  await projectAll(tally)
  expect(await tallied()).toEqual(upTo(6))
  expect(await rebuildProjection(database.url, { ...tally, version: 2 })).toBe(6)
})

test('of two workers that start with newer code one rebuilds, and the other finds nothing to do', async () => {
  await prepareProjection(sql, tally)
  await appendMany(20)
  await projectAll(tally)
  const newer = { ...tally, version: 2 }
  const outcomes = await Promise.all([1, 2].map(() => rebuildProjection(database.url, newer, { onlyStale: true })))
  expect(outcomes.toSorted()).toEqual([20, undefined])
  expect(await checkpoint()).toEqual({ position: 20, version: 2 })
})
