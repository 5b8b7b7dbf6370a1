import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LogError } from '../keys/errors.ts'
import { leadStreams } from '../lead/lead.ts'
import { CODE_VERSION } from '../process/code-version.ts'
import { connect, type Sql } from '../stores/connection.ts'
import { createTestDatabase } from '../testing/database.ts'
import { messageEvent, newLead, postMessage } from '../testing/fixtures/samples.ts'
import { TEST_KEYS } from '../testing/keys.ts'
import { type Appender, openAppender } from './append.ts'
import { readHead, readLog, readStream } from './read.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let sql: Sql
let appender: Appender
const commits: ReadonlySet<string>[] = []
/** That of appends outside of any request. */
const METADATA = {
  actor: { type: 'system', name: 'unattributed' },
  correlationId: expect.any(String),
  causationId: null,
  code: CODE_VERSION,
}

beforeAll(async () => {
  database = await createTestDatabase()
  sql = connect(database.url, { max: 2, name: 'test', keys: TEST_KEYS })
  appender = openAppender(database.url, { keys: TEST_KEYS, onCommit: (types) => commits.push(types) })
})

afterAll(async () => {
  await appender.close()
  await sql.end()
  await database.drop()
})

const streamOf = (sessionId: string) => `chat-messages-${sessionId}`
const textsOf = async (sessionId: string) =>
  (await readStream(sql, streamOf(sessionId))).map(
    (event) => event.type === 'ChatMessagePosted' && event.personal?.message,
  )

test('an appended event is read back as it was given', async () => {
  const leadId = randomUUID()
  const request = newLead(leadId, { name: 'Zoë "\\ 😀\u2028', message: 'two\nlines' })
  const appended = await appender.append(request)
  const [event] = request.events
  const stored = {
    stream: leadStreams.of(leadId),
    version: 1,
    type: 'LeadSubmitted',
    schemaVersion: 2,
    subjectId: leadId,
  }
  expect(appended).toMatchObject({ isDuplicate: false, events: [{ id: event?.id, version: 1 }] })
  expect(await readStream(sql, leadStreams.of(leadId))).toEqual([
    { ...appended.events[0], ...stored, data: event?.data, personal: event?.personal, metadata: METADATA },
  ])
})

test('the events of a request take the next versions of their stream and the next positions of the log', async () => {
  const session = randomUUID()
  const before = await readHead(sql)
  const events = ['a', 'b', 'c'].map((text) => messageEvent(text))
  const { events: places } = await appender.append({ stream: streamOf(session), expectedVersion: 0, events })
  expect(places.map(({ position }) => position - before.position)).toEqual([1, 2, 3])
  expect(places.map(({ version }) => version)).toEqual([1, 2, 3])
  expect(await textsOf(session)).toEqual(['a', 'b', 'c'])
  expect(await readHead(sql)).toEqual({ epoch: before.epoch, position: before.position + 3 })
  expect(commits.at(-1)).toEqual(new Set(['ChatMessagePosted']))
})

test('a repeated request stores nothing and returns the places of the first, whatever version it expects', async () => {
  const session = randomUUID()
  const id = randomUUID()
  const first = await appender.append(postMessage(session, 'once', { id, expectedVersion: 0 }))
  await appender.append(postMessage(session, 'another', { expectedVersion: 1 }))
  const { position } = await readHead(sql)
  for (const expectedVersion of [0, 7, 'any'] as const) {
    const again = await appender.append(postMessage(session, 'once', { id, expectedVersion }))
    expect(again).toEqual({ ...first, isDuplicate: true })
  }
  expect(await readHead(sql)).toMatchObject({ position })
})

test.each<[string, (session: string, id: string) => Parameters<Appender['append']>[0]]>([
  ['another text', (session, id) => postMessage(session, 'other', { id })],
  ['another stream', (_, id) => postMessage(randomUUID(), 'once', { id })],
  [
    'another person',
    (session, id) => ({
      stream: streamOf(session),
      expectedVersion: 'any',
      events: [{ ...messageEvent('once', id), subjectId: randomUUID() }],
    }),
  ],
  [
    'a second event that is new',
    (session, id) => ({
      stream: streamOf(session),
      expectedVersion: 'any',
      events: [messageEvent('once', id), messageEvent('new')],
    }),
  ],
])('a known event id with %s is refused', async (_, change) => {
  const session = randomUUID()
  const id = randomUUID()
  await appender.append(postMessage(session, 'once', { id }))
  const { position } = await readHead(sql)
  await expect(appender.append(change(session, id))).rejects.toMatchObject({ code: 'event_id_reused' })
  expect(await readHead(sql)).toMatchObject({ position })
})

test('exactly one of many writers that expect one version wins, and unrelated requests commit', async () => {
  const appenders = [appender, ...[1, 2].map(() => openAppender(database.url, { keys: TEST_KEYS }))]
  for (let round = 0; round < 10; round++) {
    const session = randomUUID()
    await appender.append(postMessage(session, 'first', { expectedVersion: 0 }))
    const rivals = appenders.flatMap((each) =>
      Array.from({ length: 6 }, () => each.append(postMessage(session, 'rival', { expectedVersion: 1 }))),
    )
    const unrelated = appenders.flatMap((each) =>
      Array.from({ length: 6 }, () => each.append(postMessage(randomUUID(), 'unrelated', { expectedVersion: 0 }))),
    )
    const results = await Promise.allSettled(rivals)
    const losers = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason)
    expect(losers).toHaveLength(rivals.length - 1)
    for (const loser of losers) {
      expect(loser).toBeInstanceOf(LogError)
      expect(loser).toMatchObject({ code: 'wrong_version', currentVersion: 2 })
    }
    expect((await Promise.all(unrelated)).every(({ isDuplicate }) => !isDuplicate)).toBe(true)
    expect(await textsOf(session)).toEqual(['first', 'rival'])
  }
  await Promise.all(appenders.slice(1).map((each) => each.close()))
})

test('a request is refused alone: its batch-mates commit with it in one batch', async () => {
  const single = openAppender(database.url, { keys: TEST_KEYS, batchesInFlight: 1 })
  const [session, known] = [randomUUID(), randomUUID()]
  await single.append(postMessage(session, 'taken', { id: known }))
  const mate = () => single.append(postMessage(randomUUID(), 'mate'))
  const [first, wrongVersion, second, reused, third] = await Promise.allSettled([
    mate(),
    single.append(postMessage(randomUUID(), 'wrong', { expectedVersion: 5 })),
    mate(),
    single.append(postMessage(randomUUID(), 'reused', { id: known })),
    mate(),
  ])
  expect(wrongVersion).toMatchObject({ status: 'rejected', reason: { code: 'wrong_version', currentVersion: 0 } })
  expect(reused).toMatchObject({ status: 'rejected', reason: { code: 'event_id_reused' } })
  const committed = [first, second, third].map((result) => {
    if (result.status !== 'fulfilled') throw new Error(`a batch-mate failed: ${result.reason}`)
    return result.value.events[0]
  })
  const [start = 0] = committed.map((event) => event?.position)
  expect(committed.map((event) => event?.position)).toEqual([start, start + 1, start + 2])
  // all events of a batch are recorded at the same instant
  expect(new Set(committed.map((event) => event?.recordedAt.getTime())).size).toBe(1)
  await single.close()
})

test('on a fast disk one half of many callers is stored while the other half appends again; few share a batch', async () => {
  const joined = openAppender(database.url, { keys: TEST_KEYS, flushMode: { isJoined: () => true, flushed: () => {} } })
  await joined.append(postMessage(randomUUID(), 'opens the connection'))
  const positionOf = async () =>
    (await joined.append(postMessage(randomUUID(), 'text', { expectedVersion: 0 }))).events[0]?.position ?? 0
  /** The sizes of the batches that stored these events, in their order: a batch is a transaction. */
  const sizes = async (positions: number[]) => {
    const batches = await sql`
      select count(*)::int as size from events where position = any(${positions}::bigint[])
      group by xmin order by min(position)`
    return batches.map(({ size }) => size)
  }
  expect(await sizes(await Promise.all(Array.from({ length: 40 }, positionOf)))).toEqual([40])
  const many = await Promise.all(Array.from({ length: 64 }, async () => [await positionOf(), await positionOf()]))
  const [first, later] = [many.map(([at = 0]) => at), many.map(([, at = 0]) => at)]
  expect(await sizes(first)).toEqual([32, 32])
  expect(Math.min(...later)).toBeGreaterThan(Math.max(...first))
  await joined.close()
})

test.each([
  ['U+0000 in a text', messageEvent('nul \0')],
  ['half a surrogate pair in a text', messageEvent('half \ud83d')],
  ['a subject that is no UUID', { ...messageEvent('x'), subjectId: 'nobody' }],
])('an event that Postgres cannot store (%s) fails alone', async (_, poison) => {
  const sessions = [randomUUID(), randomUUID(), randomUUID()]
  const { position } = await readHead(sql)
  const mates = sessions.map((session) => appender.append(postMessage(session, 'mate', { expectedVersion: 0 })))
  const poisoned = appender.append({ stream: streamOf(randomUUID()), expectedVersion: 'any', events: [poison] })
  const after = appender.append(postMessage(randomUUID(), 'mate'))
  await expect(poisoned).rejects.toMatchObject({ code: 'invalid_event' })
  const places = (await Promise.all([...mates, after])).flatMap(({ events }) => events)
  expect(places.map((place) => place.position - position)).toEqual([1, 2, 3, 4])
})

test('a request may not contain an event id twice', async () => {
  const twin = messageEvent('twin')
  const request = { stream: streamOf(randomUUID()), expectedVersion: 'any' as const, events: [twin, twin] }
  await expect(appender.append(request)).rejects.toMatchObject({ code: 'invalid_event' })
})

test('an event id that Postgres would write differently is refused, since its row would not be found', async () => {
  const id = randomUUID()
  for (const other of [id.toUpperCase(), `{${id}}`, id.replaceAll('-', ''), 'event-1', '']) {
    const refused = appender.append(postMessage(randomUUID(), 'x', { id: other }))
    await expect(refused).rejects.toMatchObject({
      code: 'invalid_event',
      message: `${JSON.stringify(other)} is no event id: give a UUID in lower case`,
    })
  }
})

test('a request that repeats a concurrent one gets the same result', async () => {
  const session = randomUUID()
  const request = postMessage(session, 'twice', { id: randomUUID(), expectedVersion: 0 })
  const [first, second] = await Promise.all([appender.append(request), appender.append(request)])
  expect(first?.isDuplicate).toBe(false)
  expect(second).toEqual({ ...first, isDuplicate: true })
  expect(await textsOf(session)).toEqual(['twice'])
})

test('an event that does not fit its schema is refused before it is queued', async () => {
  const session = randomUUID()
  const stream = streamOf(session)
  const message = messageEvent('x')
  const append = (events: unknown[]) =>
    appender.append({ stream, expectedVersion: 'any', events: events as (typeof message)[] })
  await expect(append([])).rejects.toThrow(`Nothing to append to ${stream}: give at least one event`)
  await expect(append([{ ...message, type: 'MessageEaten' }])).rejects.toThrow(
    'There is no event MessageEaten: see events/catalogue.ts',
  )
  await expect(append([{ ...message, personal: { senderName: 'T' } }])).rejects.toThrow(
    'ChatMessagePosted does not fit its schema',
  )
  await expect(append([message, { ...message, data: {} }])).rejects.toMatchObject({ code: 'invalid_event' })
  expect(appender.queued).toBe(0)
  expect(await readStream(sql, stream)).toEqual([])
})

test('an appender reports each commit, except those that stored nothing', async () => {
  const told = commits.length
  const request = postMessage(randomUUID(), 'tell', { id: randomUUID() })
  await appender.append(request)
  await appender.append(request)
  await appender.append(postMessage(randomUUID(), 'wrong', { expectedVersion: 3 })).catch(() => {})
  expect(commits.slice(told)).toEqual([new Set(['ChatMessagePosted'])])
})

test('close waits for requests in progress and refuses later ones', async () => {
  const closing = openAppender(database.url, { keys: TEST_KEYS })
  const session = randomUUID()
  // more than one batch
  const appends = Array.from({ length: 600 }, (_, index) => closing.append(postMessage(session, String(index))))
  let settled = 0
  for (const append of appends) append.then(() => settled++)
  await closing.close()
  expect(settled).toBe(600)
  expect(closing.queued).toBe(0)
  expect(await textsOf(session)).toEqual(appends.map((_, index) => String(index)))
  await expect(closing.append(postMessage(session, 'late'))).rejects.toMatchObject({ code: 'log_unavailable' })
})

test('the log stays whole after all of this', async () => {
  const { position } = await readHead(sql)
  const events = await readLog(sql, 0, position + 1)
  expect(events.map((event) => event.position)).toEqual(Array.from({ length: position }, (_, index) => index + 1))
})
