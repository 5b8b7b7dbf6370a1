import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { messageStreams } from '../chat/chat.ts'
import { readErased } from '../erasure/erased-subjects.ts'
import { exportLedger, readLedger } from '../erasure/ledger.ts'
import { destroyKeys } from '../keys/subject-keys.ts'
import { type Appender, openAppender } from '../log/append.ts'
import { readLog } from '../log/read.ts'
import { verifyLog } from '../log/verify.ts'
import { connect, type Sql } from '../stores/connection.ts'
import { createTestDatabase } from '../testing/database.ts'
import { messageEvent, newLead, startChat } from '../testing/fixtures/samples.ts'
import { openTestKeys, TEST_DATA_KEY, TEST_KEYS } from '../testing/keys.ts'
import { eventually } from '../testing/node.ts'
import { exportKeys, importKeys } from './key-file.ts'
import { assertServable, bindLog, RestoredError } from './log-binding.ts'
import { exportLog, importLog } from './log-file.ts'
import { destroyErasedKeys } from './replayed-erasures.ts'
import { rewrapKeys } from './rewrap.ts'

const LEADS = 3
const MESSAGES = 1_200
/** That of append_events and of an import. */
const HEAD_LOCK = 7_283_109
const chat = randomUUID()

type Log = { database: Awaited<ReturnType<typeof createTestDatabase>>; sql: Sql }

const openLog = async (): Promise<Log> => {
  const database = await createTestDatabase()
  return { database, sql: connect(database.url, { max: 4, name: 'test', keys: TEST_KEYS }) }
}

let folder: string
let source: Log
let target: Log
let appender: Appender
const file = (name: string) => join(folder, name)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'log-file-'))
  source = await openLog()
  target = await openLog()
  appender = openAppender(source.database.url, { keys: TEST_KEYS })
  for (let lead = 0; lead < LEADS; lead += 1)
    await appender.append(newLead(randomUUID(), { message: `Ünï "${lead}"\n` }))
  await appender.append(startChat(chat, 'Thandi'))
  const events = Array.from({ length: MESSAGES }, (_, index) => ({ ...messageEvent(`No. ${index}`), subjectId: chat }))
  await appender.append({ stream: messageStreams.of(chat), expectedVersion: 0, events })
  await exportLog(source.sql, file('log'))
  await exportKeys(source.sql, file('keys'))
})

afterAll(async () => {
  await appender.close()
  for (const { sql, database } of [source, target]) {
    await sql.end()
    await database.drop()
  }
  await rm(folder, { recursive: true })
})

beforeEach(async () => {
  await target.sql`truncate events, subject_keys, ring_keys`
})

const stored = ({ sql }: Log) =>
  sql`select *, data::text, metadata::text, recorded_at::text from events order by position`
const counts = async ({ sql }: Log) => {
  const [row] = await sql`select (select count(*) from events) as events, (select count(*) from subject_keys) as keys`
  return row
}
const NOTHING = { events: 0, keys: 0 }

/** Writes a changed copy of a file. */
const changed = async (name: string, change: (lines: string[]) => string[]) => {
  const lines = (await readFile(file(name), 'utf8')).split('\n')
  await writeFile(file('changed'), change(lines).join('\n'))
  return file('changed')
}

describe('a log that was exported and imported', () => {
  test('is the same to the byte, and read with the imported keys', async () => {
    expect(await importLog(target.sql, file('log'))).toEqual(await verifyLog(source.sql))
    expect(await importKeys(target.sql, file('keys'), { ring: TEST_KEYS.ring })).toBe(LEADS + 1)
    expect(await stored(target)).toEqual(await stored(source))
    expect(await readLog(target.sql, 0, 10)).toEqual(await readLog(source.sql, 0, 10))
    expect(await verifyLog(target.sql)).toEqual(await verifyLog(source.sql))
  })

  test('holds nothing personal in its file, which only its owner may read', async () => {
    const text = await readFile(file('log'), 'utf8')
    for (const word of ['Thandi', 'thandi@example', 'No. 1', 'Ünï']) expect(text).not.toContain(word)
    expect((await stat(file('log'))).mode & 0o777).toBe(0o600)
  })

  test('is one snapshot, whatever is appended during the export', async () => {
    const meanwhile = appender.append(newLead(randomUUID()))
    const exported = await exportLog(source.sql, file('again'))
    await meanwhile
    expect((await importLog(target.sql, file('again'))).position).toBe(exported.position)
  })

  test('is closed before its first event is stored, and open again if the import fails', async () => {
    await bindLog(target.sql)
    const assertOpen = () => assertServable(target.sql, { redisUrl: 'redis://127.0.0.1:1' })
    const cut = await changed('log', (lines) => lines.slice(0, 800))
    const holder = await target.sql.reserve()
    await holder`select pg_advisory_lock(${HEAD_LOCK})`
    const outcome = importLog(target.sql, cut).catch((error: Error) => error.message)
    await eventually(() => expect(assertOpen()).rejects.toThrow(RestoredError))
    expect(await counts(target)).toEqual(NOTHING)
    await holder`select pg_advisory_unlock(${HEAD_LOCK})`
    holder.release()
    expect(await outcome).toMatch('no closing line')
    await assertOpen()
    await importLog(target.sql, file('log'))
    await expect(assertOpen()).rejects.toThrow(RestoredError)
  })

  test('is not imported while a node is connected', async () => {
    await bindLog(target.sql)
    const node = connect(target.database.url, { max: 1, name: 'api' })
    await node`select 1`
    await expect(importLog(target.sql, file('log'))).rejects.toThrow('connected to this database (1 of api)')
    await node.end()
    expect(await counts(target)).toEqual(NOTHING)
    await assertServable(target.sql, { redisUrl: 'redis://127.0.0.1:1' })
  })

  test('is not imported twice, nor over another', async () => {
    await importLog(target.sql, file('log'))
    await expect(importLog(target.sql, file('log'))).rejects.toThrow(
      `The log holds ${1 + LEADS + MESSAGES} events: an import needs an empty one`,
    )
    expect(await counts(target)).toEqual({ events: 1 + LEADS + MESSAGES, keys: 0 })
  })
})

const replaceIn = (line: number, from: RegExp | string, to: string) => (lines: string[]) =>
  lines.map((text, index) => (index === line ? text.replace(from, to) : text))

describe('an import leaves nothing and reports the reason in one line, if the file', () => {
  const cases: [string, (lines: string[]) => string[], RegExp][] = [
    ['has a broken hash', replaceIn(600, /"hash":"./, '"hash":"x'), /^.*changed: events after 500 cannot be stored/],
    [
      'has another hash',
      replaceIn(600, /"hash":".{4}/, '"hash":"0000'),
      /^Event 600 \(ChatMessagePosted in .*\) was changed/,
    ],
    ['has a changed event', replaceIn(2, 'contact_form', 'hero_form'), /^Event 2 \(LeadSubmitted in .*\) was changed/],
    ['has a changed text', replaceIn(2, /"personal":"..../, '"personal":"AAAA'), /^Event 2 .* was changed/],
    ['lacks an event', (lines) => lines.toSpliced(700, 1), /line 701: here is event 701, where event 700 should be/],
    [
      'has events in another order',
      (lines) => lines.with(5, lines[6] ?? '').with(6, lines[5] ?? ''),
      /line 6: here is event 6, where event 5 should be/,
    ],
    ['is cut off behind a line', (lines) => lines.slice(0, 800), /has no closing line: it was cut off after line 800/],
    [
      'is cut off in a line',
      (lines) => [...lines.slice(0, 800), lines[800]?.slice(0, 50) ?? ''],
      /line 801: not a line of JSON/,
    ],
    ['goes on behind its end', (lines) => [...lines.filter(Boolean), lines[1] ?? ''], /after the closing line/],
    [
      'closes with another hash',
      (lines) => replaceIn(lines.length - 2, /"hash":".{4}/, '"hash":"0000')(lines),
      /closing line does not fit/,
    ],
    [
      'closes with another count',
      (lines) => replaceIn(lines.length - 2, /"count":\d+/, '"count":7')(lines),
      /says 7: some are missing/,
    ],
    [
      'is from newer code',
      replaceIn(0, '"version":1', '"version":2'),
      /is of version 2 of the format, and this code reads up to 1: run newer code/,
    ],
    [
      'holds an event of newer code',
      replaceIn(3, '"schemaVersion":2', '"schemaVersion":3'),
      /event 3 is LeadSubmitted in version 3, which this code does not know: run newer code/,
    ],
    ['is of another kind', replaceIn(0, 'agency-log', 'agency-keys'), /is no file of the format agency-log/],
    ['is empty', () => [], /is empty/],
    ['misses a column', replaceIn(4, '"position"', '"pos"'), /line 5: position does not fit the format/],
  ]
  test.each(cases)('%s', async (_, change, message) => {
    const error = await importLog(target.sql, await changed('log', change)).then(
      () => new Error('it was imported'),
      (failure: Error) => failure,
    )
    expect(error.message).toMatch(message)
    expect(error.message).not.toContain('\n')
    expect(await counts(target)).toEqual(NOTHING)
  })

  test('is not there', async () => {
    await expect(importLog(target.sql, file('none'))).rejects.toThrow(/none cannot be read \(ENOENT\)/)
  })
})

test('an export that cannot be written leaves no file', async () => {
  await expect(exportLog(source.sql, join(folder, 'no', 'log'))).rejects.toThrow(/cannot be written \(ENOENT\)/)
  expect((await readdir(folder)).filter((name) => name.endsWith('.partial'))).toEqual([])
  expect(existsSync(join(folder, 'no'))).toBe(false)
})

describe('keys', () => {
  const importInto = (path: string, dataKey = TEST_DATA_KEY) =>
    importKeys(target.sql, path, { ring: openTestKeys(dataKey).ring })

  test('are all refused if DATA_KEY does not open one', async () => {
    const other = Buffer.alloc(32, 'another').toString('base64')
    await expect(importInto(file('keys'), other)).rejects.toThrow(/^DATA_KEY lacks the key [0-9a-f]{8}/)
    const wrong = await changed('keys', replaceIn(2, /"wrapped":".{8}/, '"wrapped":"AAAAAAAA'))
    await expect(importInto(wrong)).rejects.toThrow(/was not wrapped by key [0-9a-f]{8} of DATA_KEY, or was changed/)
    expect(await counts(target)).toEqual(NOTHING)
  })

  test('are refused if the file was cut off or changed', async () => {
    const cut = await changed('keys', (lines) => lines.slice(0, 3))
    await expect(importInto(cut)).rejects.toThrow(/no closing line/)
    const swapped = await changed('keys', (lines) => lines.with(1, lines[2] ?? '').with(2, lines[1] ?? ''))
    await expect(importInto(swapped)).rejects.toThrow(/its lines do not fit the hash/)
    expect(await counts(target)).toEqual(NOTHING)
  })

  test('that were destroyed stay destroyed, whichever side knows', async () => {
    const erasedAt = '2026-01-15T08:30:00.000Z'
    await destroyErasedKeys(target.sql, [{ subjectId: chat, erasedAt }])
    await importInto(file('keys'))
    expect(await readErased(target.sql)).toEqual([{ subjectId: chat, erasedAt }])
    await exportKeys(target.sql, file('tombstones'))
    await target.sql`truncate subject_keys`
    await importInto(file('keys'))
    await importInto(file('tombstones'))
    expect(await readErased(target.sql)).toEqual([{ subjectId: chat, erasedAt }])
  })

  test('are all wrapped by a new DATA_KEY, which then no longer needs the old one', async () => {
    const [older, newer] = [TEST_DATA_KEY, Buffer.alloc(32, 'a newer key').toString('base64')]
    await importLog(target.sql, file('log'))
    await importKeys(target.sql, file('keys'), { ring: TEST_KEYS.ring })
    const erased = randomUUID()
    await destroyErasedKeys(target.sql, [{ subjectId: erased, erasedAt: new Date(0).toISOString() }])
    const seen: number[] = []
    const both = openTestKeys(`${newer},${older}`).ring
    const onProgress = ({ position }: { position: number }) => seen.push(position)
    expect(await rewrapKeys(target.sql, both, { onProgress })).toEqual({
      wrapped: LEADS + 1,
      removed: [TEST_KEYS.ring.active.id],
    })
    expect(seen).toEqual([LEADS + 1])
    expect(await rewrapKeys(target.sql, both)).toEqual({ wrapped: 0, removed: [] })
    expect((await readErased(target.sql)).map(({ subjectId }) => subjectId)).toEqual([erased])
    const reader = connect(target.database.url, { max: 1, name: 'test', keys: openTestKeys(newer) })
    expect(await readLog(reader, 0, 10)).toEqual(await readLog(source.sql, 0, 10))
    await reader.end()
  })

  test('stay as they are if DATA_KEY lacks the one that wraps them', async () => {
    await importInto(file('keys'))
    const other = openTestKeys(Buffer.alloc(32, 'another').toString('base64')).ring
    await expect(rewrapKeys(target.sql, other)).rejects.toThrow(/^DATA_KEY lacks the key/)
    const [row] =
      await target.sql`select count(*) as count from subject_keys where ring_key = ${TEST_KEYS.ring.active.id}`
    expect(row?.count).toBe(LEADS + 1)
  })
})

test('the ledger holds ids and times of all stores, and nothing else', async () => {
  const [early, late, apart] = [randomUUID(), randomUUID(), randomUUID()]
  await destroyErasedKeys(target.sql, [{ subjectId: early, erasedAt: '2026-01-01T00:00:00.000Z' }])
  await destroyErasedKeys(source.sql, [
    { subjectId: early, erasedAt: '2026-03-01T00:00:00.000Z' },
    { subjectId: apart, erasedAt: '2026-02-01T00:00:00.000Z' },
  ])
  await destroyKeys(target.sql, TEST_KEYS, [late])
  expect(await exportLedger([target.sql, source.sql], file('ledger'))).toBe(3)
  const ledger = await readLedger(file('ledger'))
  expect(ledger).toContainEqual({ subjectId: early, erasedAt: '2026-01-01T00:00:00.000Z' })
  expect(ledger).toContainEqual({ subjectId: apart, erasedAt: '2026-02-01T00:00:00.000Z' })
  expect(ledger.map(({ subjectId }) => subjectId)).toContain(late)
  const cut = await changed('ledger', (lines) => lines.toSpliced(1, 1))
  await expect(readLedger(cut)).rejects.toThrow(/says 3: some are missing/)
  await source.sql`delete from subject_keys where destroyed_at is not null`
})
