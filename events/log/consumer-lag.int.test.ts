import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { postMessage } from '../testing/fixtures/samples.ts'
import { openOwnLog } from '../testing/own-log.ts'
import { type ConsumerKey, prepareCheckpoint } from './checkpoints.ts'
import { BEHIND_AFTER_MS, type Consumer, isBehind, noteHalt, readConsumers } from './consumer-lag.ts'

const { sql, log: appender } = await openOwnLog({ connections: 2 })

beforeEach(async () => {
  await sql.unsafe('truncate events, checkpoints, checkpoint_positions')
})

const appendMany = async (count: number) => {
  for (let each = 0; each < count; each++) await appender.append(postMessage(randomUUID(), 'x'))
}
const READER = { name: 'reader', version: 3 }
const placeAt = async (position: number, key: ConsumerKey = READER) => {
  await prepareCheckpoint(sql, key, { isFilled: true })
  await sql`
    insert into checkpoint_positions (consumer, version, position) values (${key.name}, ${key.version}, ${position})
    on conflict do nothing`
}
const age = (position: number, ms: number) =>
  sql`update events set recorded_at = now() - ${ms} * interval '1 ms' where position = ${position}`
const move = (ms: number) => sql`update checkpoint_positions set reached_at = now() - ${ms} * interval '1 ms'`
const reader = async () => (await readConsumers(sql)).consumers.find(({ name }) => name === 'reader') as Consumer

test('a log without readers has a head and no consumers', async () => {
  await appendMany(2)
  expect(await readConsumers(sql)).toEqual({ head: 2, consumers: [] })
})

test('a consumer at the head waits for nothing, one behind it for the oldest event that it has not taken in', async () => {
  await appendMany(3)
  await placeAt(3)
  await placeAt(1, { name: 'slow', version: 3 })
  await move(9_000)
  await age(2, 5_000)
  const { head, consumers } = await readConsumers(sql)
  expect(head).toBe(3)
  const common = { version: 3, isCurrent: true, isFilled: true, haltReason: null, isSameLog: true }
  expect(consumers).toEqual([
    { name: 'reader', position: 3, lag: 0, waitingSince: null, waitingMs: 0, ...common },
    { name: 'slow', position: 1, lag: 2, waitingSince: expect.any(Date), waitingMs: expect.any(Number), ...common },
  ])
  expect(consumers[1]?.waitingMs).toBeGreaterThanOrEqual(5_000)
  expect(consumers[1]?.waitingMs).toBeLessThan(15_000)
})

test('a consumer is behind once an event has waited for a minute, be there a hole before it', async () => {
  await appendMany(2)
  await placeAt(0)
  await move(BEHIND_AFTER_MS + 1_000)
  await age(1, BEHIND_AFTER_MS - 20_000)
  expect(isBehind(await reader())).toBe(false)
  await age(2, BEHIND_AFTER_MS + 1_000)
  expect(isBehind(await reader())).toBe(false)
  await sql`delete from events where position = 1`
  expect(isBehind(await reader())).toBe(true)
  await placeAt(2)
  expect(isBehind(await reader())).toBe(false)
})

test('a consumer that catches up after an absence is not behind', async () => {
  await appendMany(2)
  await placeAt(0)
  await age(1, BEHIND_AFTER_MS * 9)
  await age(2, BEHIND_AFTER_MS * 9)
  await move(BEHIND_AFTER_MS * 2)
  expect(isBehind(await reader())).toBe(true)
  await placeAt(1)
  await move(5_000)
  expect(await reader()).toMatchObject({ lag: 1 })
  expect(isBehind(await reader())).toBe(false)
})

test('a halt holds until the checkpoint moves on, and comes back with no other', async () => {
  await appendMany(4)
  await placeAt(2)
  await noteHalt(sql, READER, 'no event 3')
  expect(await reader()).toMatchObject({ haltReason: 'no event 3', isSameLog: true })
  await placeAt(3)
  expect(await reader()).toMatchObject({ haltReason: null })
  await placeAt(4)
  expect(await reader()).toMatchObject({ haltReason: null })
})

test('of a halt with nothing left to take in nothing is said', async () => {
  await appendMany(2)
  await placeAt(2)
  await noteHalt(sql, READER, 'an older worker found newer code at work')
  expect(await reader()).toMatchObject({ haltReason: null })
})

test.each([
  ['of another epoch', () => sql`update log_head set epoch = gen_random_uuid()`],
  ['past the head', () => sql`delete from events where position > 1`],
])('a consumer with a checkpoint %s is behind at once', async (_, restore) => {
  await appendMany(2)
  await placeAt(2)
  await restore()
  const consumer = await reader()
  expect(consumer).toMatchObject({ isSameLog: false, lag: 0, haltReason: null })
  expect(isBehind(consumer)).toBe(true)
  await noteHalt(sql, READER, 'rebuild')
  expect(await reader()).toMatchObject({ haltReason: 'rebuild' })
})

test('only the version that the caller reads counts, and of others the newest', async () => {
  await appendMany(2)
  for (const version of [2, 3, 4]) await placeAt(version === 3 ? 2 : 0, { name: 'reader', version })
  await move(BEHIND_AFTER_MS * 2)
  await sql`update events set recorded_at = now() - ${BEHIND_AFTER_MS * 2} * interval '1 ms'`
  const standing = async (wanted: ConsumerKey[]) =>
    (await readConsumers(sql, wanted)).consumers.filter(isBehind).map(({ version }) => version)
  expect(await standing([READER])).toEqual([])
  expect(await standing([{ name: 'reader', version: 2 }])).toEqual([2])
  expect(await standing([])).toEqual([4])
})

test('a view that is being filled is not behind, unless that has failed', async () => {
  await appendMany(1)
  await age(1, BEHIND_AFTER_MS * 2)
  await prepareCheckpoint(sql, READER, { isFilled: false })
  await move(BEHIND_AFTER_MS * 2)
  expect(isBehind(await reader())).toBe(false)
  await noteHalt(sql, READER, 'no room on the disk')
  expect(isBehind(await reader())).toBe(true)
})
