import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { rebuildProjection } from '../consumers/rebuild.ts'
import { assertSameHistory } from '../log/checkpoints.ts'
import { LogIntegrityError, readHead } from '../log/read.ts'
import { postMessage, startChat } from '../testing/fixtures/samples.ts'
import { TEST_KEYS } from '../testing/keys.ts'
import { openOwnLog } from '../testing/own-log.ts'
import { appendRaw } from '../testing/raw-event.ts'
import { type Projection, prepareProjection, project, schemaOf } from './projection.ts'
import { removeUnusedTables } from './unused-tables.ts'

const { databaseUrl, sql, log: appender } = await openOwnLog({ connections: 12 })

/** A view that cannot take an event twice: a row for each. */
const tally: Projection = {
  name: 'tally',
  version: 1,
  types: ['ChatMessagePosted'],
  tables: (schema) => `create table ${schema}.tally (position bigint primary key)`,
  indexes: () => '',
  apply: async (tx, schema, events) => {
    const positions = events.map(({ position }) => position)
    return [tx`insert into ${tx(schema)}.tally select unnest(${positions}::bigint[])`]
  },
}

beforeEach(async () => {
  await sql.unsafe('truncate events, checkpoints, checkpoint_positions')
  for (const schema of await schemas()) await sql.unsafe(`drop schema ${schema} cascade`)
})

const appendMany = (count: number) =>
  Promise.all(Array.from({ length: count }, () => appender.append(postMessage(randomUUID(), 'x'))))

const projectAll = async (projection: Projection) => {
  while ((await project(sql, projection)).hasMore);
}

const newer: Projection = { ...tally, version: 2 }

const schemas = async () =>
  (await sql<{ nspname: string }[]>`select nspname from pg_namespace where nspname like 'view%' order by 1`).map(
    ({ nspname }) => nspname,
  )
const tallied = async (projection = tally) =>
  (
    await sql<{ position: number }[]>`
      select position from ${sql(schemaOf(projection))}.tally order by position`
  ).map(({ position }) => position)
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)
const checkpoint = async ({ version } = tally) =>
  (await sql`select (checkpoint_position('tally', ${version})).position as position`)[0]?.position

test('a view is made once, however many workers start at once', async () => {
  const prepared = await Promise.all(Array.from({ length: 6 }, () => prepareProjection(sql, tally)))
  expect(prepared).toEqual(prepared.map(() => ({ isFilled: true })))
  expect(await checkpoint()).toBe(0)
  expect(await tallied()).toEqual([])
})

test('a view is made at once if the log holds nothing for it yet, and filled first if it does', async () => {
  await appender.append(startChat(randomUUID(), 'Ana'))
  expect(await prepareProjection(sql, tally)).toEqual({ isFilled: true })
  await appendMany(1)
  expect(await prepareProjection(sql, newer)).toEqual({ isFilled: false })
  await projectAll(tally)
  expect(await tallied()).toEqual([2])
})

test('a step folds in all pending events, batch by batch, in one transaction', async () => {
  await prepareProjection(sql, tally)
  expect(await project(sql, tally)).toEqual({ isFilled: true, advanced: false, hasMore: false, events: 0 })
  await appendMany(1_200)
  expect(await project(sql, tally)).toEqual({ isFilled: true, advanced: true, hasMore: false, events: 1_200 })
  expect(await checkpoint()).toBe(1_200)
  expect(await tallied()).toEqual(upTo(1_200))
})

test('a step folds in the events before an unreadable batch, and the next one reports the reason', async () => {
  await prepareProjection(sql, tally)
  await appendMany(1_200)
  await sql`delete from events where position = 1100`
  expect(await project(sql, tally)).toEqual({ isFilled: true, advanced: true, hasMore: true, events: 1_000 })
  expect(await checkpoint()).toBe(1_000)
  await expect(project(sql, tally)).rejects.toThrow('The log has no event 1100')
  expect(await tallied()).toEqual(upTo(1_000))
})

test('several concurrent workers process each event once, while more arrive', async () => {
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
  expect(await checkpoint()).toBe(600)
  expect(steps).toBeGreaterThan(1)
})

test('a failed step does not change the view and its checkpoint', async () => {
  await prepareProjection(sql, tally)
  await appendMany(3)
  const failing: Projection = {
    ...tally,
    apply: async (tx, schema, events) => [...(await tally.apply(tx, schema, events)), tx`select 1 / 0`],
  }
  await expect(project(sql, failing)).rejects.toThrow('division by zero')
  expect(await tallied()).toEqual([])
  expect(await checkpoint()).toBe(0)
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

test('a newer version is filled next to the older one, and both continue from checkpoints of their own', async () => {
  await prepareProjection(sql, tally)
  await appendMany(3)
  await projectAll(tally)
  expect(await prepareProjection(sql, newer)).toEqual({ isFilled: false })
  expect(await project(sql, newer)).toEqual({ isFilled: false, advanced: false, hasMore: false, events: 0 })
  expect(await schemas()).toEqual(['view_tally_1'])
  expect(await rebuildProjection({ databaseUrl, keys: TEST_KEYS }, newer)).toBe(3)
  expect(await prepareProjection(sql, newer)).toEqual({ isFilled: true })
  await appendMany(1)
  await projectAll(newer)
  expect([await tallied(newer), await tallied(tally)]).toEqual([upTo(4), upTo(3)])
  await projectAll(tally)
  expect(await tallied(tally)).toEqual(upTo(4))
  expect([await checkpoint(tally), await checkpoint(newer)]).toEqual([4, 4])
})

test('an older version is filled next to a newer one, which does not change', async () => {
  await prepareProjection(sql, newer)
  await appendMany(5)
  await projectAll(newer)
  expect(await prepareProjection(sql, tally)).toEqual({ isFilled: false })
  expect(await rebuildProjection({ databaseUrl, keys: TEST_KEYS }, tally, { onlyMissing: true })).toBe(5)
  await appendMany(1)
  await projectAll(tally)
  expect([await tallied(tally), await tallied(newer)]).toEqual([upTo(6), upTo(5)])
  expect(await schemas()).toEqual(['view_tally_1', 'view_tally_2'])
})

test('no half-filled version is seen: its tables have their name only once they are full', async () => {
  await appendMany(4_100)
  const seen: string[][] = []
  const looking: Projection = {
    ...tally,
    apply: async (tx, schema, events) => {
      seen.push((await schemas()).map((name) => name.replace(/[0-9a-f]{8}$/, 'X')))
      return await tally.apply(tx, schema, events)
    },
  }
  await rebuildProjection({ databaseUrl, keys: TEST_KEYS }, looking)
  expect(seen).toEqual([['view_tally_1_next_X'], ['view_tally_1_next_X'], ['view_tally_1_next_X']])
  expect(await schemas()).toEqual(['view_tally_1'])
})

test('a restored backup halts a view, and a rebuild resumes it', async () => {
  await prepareProjection(sql, tally)
  await appendMany(3)
  await projectAll(tally)
  await sql`update log_head set epoch = gen_random_uuid()`
  await expect(project(sql, tally)).rejects.toThrow(
    new LogIntegrityError(
      'The checkpoint of tally in version 1 (3) is not of this log (at 3): after a restored backup, rebuild',
    ),
  )
  await rebuildProjection({ databaseUrl, keys: TEST_KEYS }, tally)
  expect(await project(sql, tally)).toEqual({ isFilled: true, advanced: false, hasMore: false, events: 0 })

  await sql`delete from events where position = 3`
  await expect(project(sql, tally)).rejects.toThrow(
    'The checkpoint of tally in version 1 (3) is not of this log (at 2)',
  )
  await rebuildProjection({ databaseUrl, keys: TEST_KEYS }, tally)
  expect(await tallied()).toEqual([1, 2])
})

test.each([
  ['at the head', { isSameEpoch: true, position: 7, head: 7 }, true],
  ['behind the head', { isSameEpoch: true, position: 0, head: 7 }, true],
  ['past the head', { isSameEpoch: true, position: 8, head: 7 }, false],
  ['of another epoch', { isSameEpoch: false, position: 3, head: 7 }, false],
])('of a checkpoint %s it is known whether it is of this log', (_, point, isSame) => {
  const assert = () => assertSameHistory({ name: 'reader', version: 1 }, point)
  if (isSame) expect(assert).not.toThrow()
  else expect(assert).toThrow(LogIntegrityError)
})

test('a rebuild reports its progress', async () => {
  await prepareProjection(sql, tally)
  await appendMany(4_500)
  const progress: unknown[] = []
  expect(
    await rebuildProjection({ databaseUrl, keys: TEST_KEYS }, tally, {
      onProgress: (each) => progress.push(each),
    }),
  ).toBe(4_500)
  expect(progress).toEqual([2_000, 4_000, 4_500].map((position) => ({ position, head: 4_500 })))
  expect(await tallied()).toEqual(upTo(4_500))
  expect(await checkpoint()).toBe(4_500)
})

test('a rebuild reads all its own earlier writes', async () => {
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
  expect(await rebuildProjection({ databaseUrl, keys: TEST_KEYS }, looking)).toBe(6_500)
  expect(seen).toEqual([0, 2_000, 4_000, 6_000])
})

test('rebuilds of one view run one after the other, while workers continue and events arrive', async () => {
  await prepareProjection(sql, tally)
  await appendMany(500)
  await projectAll(tally)
  let isRebuilding = true
  const rebuilding = Promise.all(
    [1, 2, 3].map(() => rebuildProjection({ databaseUrl, keys: TEST_KEYS }, tally)),
  ).finally(() => {
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

test('the view serves after a failed rebuild, and the next one succeeds and removes the leftovers', async () => {
  await prepareProjection(sql, tally)
  await appendMany(5)
  await projectAll(tally)
  const failing: Projection = { ...tally, apply: async (tx) => [tx`select 1 / 0`] }
  await expect(rebuildProjection({ databaseUrl, keys: TEST_KEYS }, failing)).rejects.toThrow('division by zero')
  expect(await checkpoint()).toBe(5)
  expect(await schemas()).toHaveLength(2)
  await appendMany(1)
  await projectAll(tally)
  expect(await tallied()).toEqual(upTo(6))
  expect(await rebuildProjection({ databaseUrl, keys: TEST_KEYS }, tally)).toBe(6)
  expect(await schemas()).toEqual(['view_tally_1', expect.stringMatching(/^view_tally_1_old_/)])
})

test('one of two workers that start with newer code fills the view, and the other finds nothing to do', async () => {
  await prepareProjection(sql, tally)
  await appendMany(20)
  await projectAll(tally)
  const outcomes = await Promise.all(
    [1, 2].map(() => rebuildProjection({ databaseUrl, keys: TEST_KEYS }, newer, { onlyMissing: true })),
  )
  expect(outcomes.toSorted()).toEqual([20, undefined])
  expect(await checkpoint(newer)).toBe(20)
})

test('an aborted rebuild stops, also while it waits for another, and does not change the view', async () => {
  await prepareProjection(sql, tally)
  await appendMany(3)
  const begun = Promise.withResolvers<void>()
  const slow: Projection = {
    ...tally,
    apply: async (tx) => {
      begun.resolve()
      return [tx`select pg_sleep(60)`]
    },
  }
  const stopping = new AbortController()
  const first = rebuildProjection({ databaseUrl, keys: TEST_KEYS }, slow, {
    signal: stopping.signal,
  }).catch((error) => error)
  await begun.promise
  const second = rebuildProjection({ databaseUrl, keys: TEST_KEYS }, tally, {
    signal: stopping.signal,
  }).catch((error) => error)
  stopping.abort()
  expect(await Promise.all([first, second])).toEqual([expect.any(Error), expect.any(Error)])
  expect(await checkpoint()).toBe(0)
  await projectAll(tally)
  expect(await tallied()).toEqual(upTo(3))
})

test('a rebuild waits for another one only for a limited time, and reports that it is alive', async () => {
  const other = await sql.reserve()
  await other`select pg_advisory_lock(7283111, hashtext(${schemaOf(tally)}))`
  let waits = 0
  const waiting = rebuildProjection({ databaseUrl, keys: TEST_KEYS }, tally, {
    lockWaitMs: 100,
    onAlive: () => {
      waits += 1
    },
  })
  await expect(waiting).rejects.toThrow(/^Another rebuild of view_\w+ has not ended within 0\.1 s$/)
  expect(waits).toBeGreaterThan(0)
  await other`select pg_advisory_unlock_all()`
  other.release()
})

test('while a backup holds the old tables a rebuild ends, the view continues, and so does another rebuild', async () => {
  await prepareProjection(sql, tally)
  await appendMany(3)
  await projectAll(tally)
  const backup = await sql.reserve()
  await backup`begin transaction isolation level repeatable read`
  await backup.unsafe('lock table view_tally_1.tally in access share mode')
  expect(await rebuildProjection({ databaseUrl, keys: TEST_KEYS }, tally)).toBe(3)
  await appendMany(1)
  await projectAll(tally)
  expect(await tallied()).toEqual(upTo(4))
  expect(await rebuildProjection({ databaseUrl, keys: TEST_KEYS }, tally)).toBe(4)
  expect((await schemas()).filter((name) => name.includes('_old_'))).toHaveLength(2)
  await backup`commit`
  backup.release()
  await removeUnusedTables(sql)
  expect(await schemas()).toEqual(['view_tally_1'])
})

describe('types that a view does not declare', () => {
  const append = (type: string, schemaVersion = 1) =>
    appendRaw(sql, { stream: `chat-${randomUUID()}`, type, schemaVersion })

  test.each([1, 7])('are passed over, known to this code or not, in any version (%i)', async (version) => {
    await prepareProjection(sql, tally)
    await appendMany(1)
    await append('SomethingUnheardOf', version)
    await append('ChatEnded', version)
    await appendMany(1)
    await projectAll(tally)
    expect([await tallied(), await checkpoint()]).toEqual([[1, 4], 4])
    await rebuildProjection({ databaseUrl, keys: TEST_KEYS }, tally)
    expect([await tallied(), await checkpoint()]).toEqual([[1, 4], 4])
  })

  test('a declared one in an unknown version stops the view right before it', async () => {
    await prepareProjection(sql, tally)
    await appendMany(2)
    await append('SomethingUnheardOf')
    await append('ChatMessagePosted', 9)
    await appendMany(1)
    expect(await project(sql, tally)).toEqual({ isFilled: true, advanced: true, hasMore: true, events: 2 })
    expect([await tallied(), await checkpoint()]).toEqual([[1, 2], 3])
    await expect(project(sql, tally)).rejects.toThrow(
      new LogIntegrityError('Event 4 is ChatMessagePosted in version 9, which this code does not know: run newer code'),
    )
  })
})
