import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { messageStreams } from '../chat/chat.ts'
import { destroyKeys } from '../keys/subject-keys.ts'
import { connect, type Sql } from '../stores/connection.ts'
import { createTestDatabase } from '../testing/database.ts'
import { messageEvent, newLead, postMessage, startChat } from '../testing/fixtures/samples.ts'
import { TEST_KEYS } from '../testing/keys.ts'
import { type Appender, openAppender } from './append.ts'
import { prepareCheckpoint, resetCheckpoint } from './checkpoints.ts'
import { readHead } from './read.ts'
import { headText, parseHead, verifyLog } from './verify.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
const READER = { name: 'reader', version: 1 }

let sql: Sql
let appender: Appender
const chat = '5c2f6a3e-8f1d-4f5e-9b1a-2d6c7e8f9a10'

beforeAll(async () => {
  database = await createTestDatabase()
  sql = connect(database.url, { max: 4, name: 'test', keys: TEST_KEYS })
  appender = openAppender(database.url, { keys: TEST_KEYS })
})

afterAll(async () => {
  await appender.close()
  await sql.end()
  await database.drop()
})

beforeEach(async () => {
  await sql`truncate events`
  await appender.append(newLead(randomUUID()))
  await appender.append(startChat(chat, 'Thandi "the baker"\n😀'))
  for (const text of ['one', 'two', 'three', 'four']) await appender.append(postMessage(chat, text))
})

test('a log that was only appended to is whole, and its head can be noted', async () => {
  const head = await verifyLog(sql)
  expect(head.position).toBe(6)
  expect(parseHead(headText(head))).toEqual([6, head.hash.toString('hex')])
  await appender.append(postMessage(chat, 'five'))
  const expected = new Map([parseHead(headText(head)) ?? [0, '']])
  expect((await verifyLog(sql, { expected })).position).toBe(7)
})

test('an empty log is whole', async () => {
  await sql`truncate events`
  expect((await verifyLog(sql)).position).toBe(0)
})

test('an erasure leaves the chain whole', async () => {
  const before = await verifyLog(sql)
  await destroyKeys(sql, TEST_KEYS, [chat])
  expect(await verifyLog(sql)).toEqual(before)
  await sql`delete from subject_keys`
})

test('many batches are checked, and progress goes up to the head', async () => {
  const events = Array.from({ length: 1_100 }, () => messageEvent('x'))
  await appender.append({ stream: messageStreams.of(randomUUID()), expectedVersion: 'any', events })
  const seen: number[] = []
  await verifyLog(sql, { onProgress: ({ position, head }) => seen.push(position, head) })
  expect(seen).toEqual([1_000, 1_106, 1_106, 1_106])
})

describe('names the first event that does not fit, if by hand', () => {
  const columns = [
    ['data = \'{"senderType": "admin"}\''],
    ["personal = personal || '\\x00'"],
    ['personal = null'],
    ['metadata = \'{"code": "0"}\''],
    ["data = (data::text || ' ')::json"],
    ["type = 'ChatEnded'"],
    ['schema_version = 1'],
    ["stream = 'chat-messages-other'"],
    ['version = 17'],
    ["recorded_at = recorded_at + interval '1 microsecond'"],
    ['subject_id = gen_random_uuid()'],
    ['id = gen_random_uuid()'],
    ["hash = sha256('')"],
  ]
  test.each(columns)('a row was changed (%s)', async (change) => {
    await sql.unsafe(`update events set ${change} where position = 4`)
    await expect(verifyLog(sql)).rejects.toThrow(/^Event 4 \(.* in chat-messages-.*\) was changed/)
  })

  test('a row was removed', async () => {
    await sql`delete from events where position = 4`
    await expect(verifyLog(sql)).rejects.toThrow(/^Event 4 is missing: Event 5 \(ChatMessagePosted in .*\) comes next/)
  })

  test('the first row was removed', async () => {
    await sql`delete from events where position = 1`
    await expect(verifyLog(sql)).rejects.toThrow(/^Event 1 is missing: Event 2 \(ChatStarted/)
  })

  test('a row was removed, and the rest moved up', async () => {
    await sql`delete from events where position = 4`
    for (const position of [5, 6]) await sql`update events set position = ${position - 1} where position = ${position}`
    await expect(verifyLog(sql)).rejects.toThrow(/^Event 4 \(ChatMessagePosted .* was changed/)
  })

  test('a row was inserted before the first, or behind the last', async () => {
    const insert = (position: number) => sql`
      insert into events
      select ${position}, gen_random_uuid(), stream, ${100 + position}, type, schema_version, data, subject_id, personal, metadata,
        recorded_at, hash
      from events where position = 6`
    await insert(7)
    await expect(verifyLog(sql)).rejects.toThrow(/^Event 7 \(ChatMessagePosted in .*\) was changed/)
    await insert(0)
    await expect(verifyLog(sql)).rejects.toThrow(/^Event 0 was inserted/)
  })

  test('two rows changed places', async () => {
    for (const [from, to] of [
      [4, -1],
      [5, 4],
      [-1, 5],
    ] as const) {
      await sql`update events set position = ${to} where position = ${from}`
    }
    await expect(verifyLog(sql)).rejects.toThrow(/^Event 4 \(ChatMessagePosted in .*\) was changed/)
  })
})

/** An attack by someone who knows how the chain is made: changes a row, and all hashes from there on. */
const rechain = () =>
  sql.unsafe(`
    update events e set hash = c.hash from (
      select position, chain(decode(repeat('00', 32), 'hex'), event_bytes(
        position, id, stream, version, type, schema_version, data, subject_id, personal, metadata,
        recorded_at)) over (order by position) as hash
      from events) c
    where c.position = e.position`)

test('a chain that was rebuilt from the changed row on is detected by a noted head', async () => {
  const head = await verifyLog(sql)
  const expected = new Map([[head.position, head.hash.toString('hex')]])
  await sql`update events set data = '{"senderType": "admin"}' where position = 4`
  await rechain()
  expect((await verifyLog(sql)).position).toBe(6)
  await expect(verifyLog(sql, { expected })).rejects.toThrow(/^Event 6 \(.*\) has the hash .* the chain was rewritten/)
})

test('a log whose end was removed is detected by a noted head', async () => {
  const head = await verifyLog(sql)
  const expected = new Map([[head.position, head.hash.toString('hex')]])
  await sql`delete from events where position > 4`
  expect((await verifyLog(sql)).position).toBe(4)
  await expect(verifyLog(sql, { expected })).rejects.toThrow('The log ends at 4, before event 6')
})

test('a version that is out of order in its stream is named, though the hashes fit', async () => {
  await sql`update events set version = 9 where position = 6`
  await rechain()
  await expect(verifyLog(sql)).rejects.toThrow(
    /^Event 6 \(.*\) has version 9 of its stream, and version 8 is not before it/,
  )
})

test('functions of the database are not trusted', async () => {
  await sql`update events set data = '{"senderType": "admin"}' where position = 4`
  const [before] = await sql`select prosrc from pg_proc where proname = 'extend_chain'`
  await sql.unsafe(`create or replace function extend_chain(hash bytea, first bytea, bytes bytea) returns bytea
    language plpgsql immutable parallel safe as $$ begin return (select hash from events limit 1); end $$`)
  await expect(verifyLog(sql)).rejects.toThrow(/^Event 4 /)
  await sql.unsafe(`create or replace function extend_chain(hash bytea, first bytea, bytes bytea) returns bytea
    language plpgsql immutable parallel safe as $$${before?.prosrc}$$`)
})

test('a log whose end was removed is detected by the positions that were read', async () => {
  const { epoch, position } = await readHead(sql)
  await prepareCheckpoint(sql, READER, { isFilled: true })
  await resetCheckpoint(sql, READER, { epoch, position })
  expect(await verifyLog(sql)).toMatchObject({ position })
  await sql`delete from events where position = ${position}`
  await expect(verifyLog(sql)).rejects.toThrow(
    `Event ${position} is missing: the log ends at ${position - 1}, and ${position} has been read`,
  )
})
