import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { destroyKeys, openSubjectKeys } from '../keys/subject-keys.ts'
import { leadErased, leadStreams } from '../lead/lead.ts'
import { openAppender } from '../log/append.ts'
import { readHead } from '../log/read.ts'
import { connect, type Sql } from '../stores/connection.ts'
import { FILE_BACKUP } from '../testing/backup.ts'
import { createTestDatabase, testRedisUrl } from '../testing/database.ts'
import { openFaultProxy } from '../testing/fault-proxy.ts'
import { newLead } from '../testing/fixtures/samples.ts'
import { TEST_KEYS } from '../testing/keys.ts'
import { eventually } from '../testing/node.ts'
import { assertServable, bindLog, markLogUnbound, noteHead, noteReached, RestoredError } from './log-binding.ts'
import { destroyErasedKeys } from './replayed-erasures.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let redisUrl: string
let redis: Redis
let sql: Sql

beforeAll(async () => {
  database = await createTestDatabase()
  redisUrl = await testRedisUrl()
  redis = new Redis(redisUrl)
  sql = connect(database.url, { max: 2, name: 'test', keys: TEST_KEYS })
  const log = openAppender(database.url, { keys: TEST_KEYS })
  await log.append(newLead(randomUUID()))
  await log.close()
})

afterAll(async () => {
  redis.disconnect()
  await sql.end()
  await database.drop()
})

const GONE = 'redis://127.0.0.1:1'

test('a log that is at home is served, with Redis or without', async () => {
  await assertServable(sql, { redisUrl })
  await assertServable(sql, { redisUrl: GONE })
  await noteReached(redis, await readHead(sql))
  await assertServable(sql, { redisUrl })
})

test('a copy of it elsewhere is not, until it is bound to that database', async () => {
  await sql.end()
  const backup = await FILE_BACKUP.take(database.url)
  const copy = await backup.restore()
  const restored = connect(copy.url, { max: 1, name: 'test' })
  await expect(assertServable(restored, { redisUrl: GONE })).rejects.toThrow(
    'DATABASE_URL: this log was restored from a backup, and nothing may serve it yet: stop all nodes and workers, then run npm run log -- restore --ledger FILE',
  )
  await bindLog(restored)
  await assertServable(restored, { redisUrl: GONE })
  await restored.end()
  await copy.drop()
  await backup.drop()
  sql = connect(database.url, { max: 2, name: 'test', keys: TEST_KEYS })
})

test('one that a restore has not finished with is not', async () => {
  const home = await markLogUnbound(sql)
  await expect(assertServable(sql, { redisUrl })).rejects.toThrow('was restored from a backup')
  await bindLog(sql, home)
  await assertServable(sql, { redisUrl })
})

test('one that has fallen behind the position noted in Redis is not', async () => {
  const head = await readHead(sql)
  await noteReached(redis, { ...head, position: 7 })
  await expect(assertServable(sql, { redisUrl })).rejects.toThrow(
    'DATABASE_URL: this log is at 1, and had come to 7: it was set back to a backup',
  )
  await sql`update log_epoch set epoch = gen_random_uuid()`
  await assertServable(sql, { redisUrl })
})

test('one that grows while a node starts is served', async () => {
  const line = await openFaultProxy(redisUrl)
  onTestFinished(() => line.close())
  line.stall()
  const starting = assertServable(sql, { redisUrl: line.url })
  await eventually(() => expect(line.accepted).toBeGreaterThan(0)) // it has read how far the log has come by then
  const log = openAppender(database.url, { keys: TEST_KEYS })
  await log.append(newLead(randomUUID())).finally(() => log.close())
  await noteHead(sql, redis)
  await line.resume()
  await starting
})

test('the noted position never falls: a log that is reset while it is served is detected', async () => {
  await sql`update log_epoch set epoch = gen_random_uuid()`
  const head = await readHead(sql)
  await noteHead(sql, redis)
  expect(await noteReached(redis, { ...head, position: head.position - 1 })).toBe(head.position)
  expect(await noteReached(redis, { ...head, position: 12 })).toBe(12)
  await expect(noteHead(sql, redis)).rejects.toThrow(RestoredError)
  await expect(noteHead(sql, redis)).rejects.toThrow(`this log is at ${head.position}, and had come to 12`)
  await expect(assertServable(sql, { redisUrl })).rejects.toThrow(RestoredError)
  await sql`update log_epoch set epoch = gen_random_uuid()`
  await noteHead(sql, redis)
})

test('one without an erasure that the keys know is not', async () => {
  const store = await createTestDatabase()
  const apart = connect(store.url, { max: 1, name: 'test' })
  const keys = openSubjectKeys(TEST_KEYS.ring, apart)
  await destroyKeys(sql, keys, [randomUUID()])
  await assertServable(sql, { redisUrl, apart })
  const underWay = randomUUID()
  await destroyErasedKeys(apart, [{ subjectId: underWay, erasedAt: new Date().toISOString() }])
  const log = openAppender(database.url, { keys })
  const erased = { id: randomUUID(), ...leadErased({ by: randomUUID() }) }
  await log.append({ stream: leadStreams.of(underWay), expectedVersion: 'any', events: [erased] })
  await log.close()
  await assertServable(sql, { redisUrl, apart })
  const unknown = randomUUID()
  await destroyErasedKeys(apart, [{ subjectId: unknown, erasedAt: new Date().toISOString() }])
  await expect(assertServable(sql, { redisUrl, apart })).rejects.toThrow(
    `KEYS_DATABASE_URL: ${unknown} has been erased, and this log does not know`,
  )
  await apart.end()
  await store.drop()
})
