import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LogError } from '../keys/errors.ts'
import { connect, type Sql } from '../stores/connection.ts'
import { createTestDatabase } from '../testing/database.ts'
import { propertyOptions } from '../testing/fixtures/property-options.ts'
import { messageEvent } from '../testing/fixtures/samples.ts'
import { TEST_KEYS } from '../testing/keys.ts'
import { type Appender, type AppendRequest, openAppender } from './append.ts'
import { type Pending, takeBatch } from './batch.ts'
import { deterministicUuid } from './event-id.ts'
import { readHead, readLog, readStream } from './read.ts'

const STREAMS = ['red', 'green', 'blue']
const TEXTS = ['a', 'b', 'ü \u2028 "\\ 😀']
const IDS = Array.from({ length: 14 }, (_, index) => deterministicUuid('model', String(index)))
const RUNS = 60
const READ_ALL = 10_000

type Stored = { id: string; stream: string; position: number; version: number; text: string }
type Outcome =
  | { isDuplicate: boolean; places: { id: string; position: number; version: number }[] }
  | { code: string; currentVersion: number | undefined }

/** The expected behaviour of the log: one list of events. */
class LogModel {
  readonly events: Stored[] = []

  versionOf(stream: string) {
    return this.events.filter((event) => event.stream === stream).length
  }

  append({ stream, expectedVersion, events }: AppendRequest): Outcome {
    const texts = events.map((event) => (event.type === 'ChatMessagePosted' ? event.personal.message : ''))
    const stored = events.map(({ id }) => this.events.find((event) => event.id === id))
    const isSame = stored.every((event, index) => event?.stream === stream && event.text === texts[index])
    if (isSame) return { isDuplicate: true, places: stored.flatMap((event) => (event ? [placeOf(event)] : [])) }
    if (stored.some(Boolean)) return { code: 'event_id_reused', currentVersion: undefined }
    const version = this.versionOf(stream)
    if (expectedVersion !== 'any' && expectedVersion !== version)
      return { code: 'wrong_version', currentVersion: version }
    const added = events.map(({ id }, index) => ({
      id,
      stream,
      position: this.events.length + index + 1,
      version: version + index + 1,
      text: texts[index] ?? '',
    }))
    this.events.push(...added)
    return { isDuplicate: false, places: added.map(placeOf) }
  }
}

const placeOf = ({ id, position, version }: Stored) => ({ id, position, version })

/** The outcomes of concurrent requests: as if handled one by one, in the order of their batches. */
const predict = (model: LogModel, requests: AppendRequest[]): Outcome[] => {
  const outcomes = new Map<AppendRequest, Outcome>()
  const pending = { lines: [], bytes: 0, proposed: new Map(), metadata: '', deadline: 0, settle: () => {} }
  const queue: Pending[] = requests.map((request) => ({ ...pending, request }))
  while (queue.length > 0) {
    for (const { request } of takeBatch(queue)) outcomes.set(request, model.append(request))
  }
  return requests.flatMap((request) => outcomes.get(request) ?? [])
}

const outcomeOf = async (appended: ReturnType<Appender['append']>): Promise<Outcome> => {
  try {
    const { isDuplicate, events } = await appended
    return { isDuplicate, places: events.map(({ id, position, version }) => ({ id, position, version })) }
  } catch (error) {
    if (!(error instanceof LogError)) throw error
    return { code: error.code, currentVersion: error.currentVersion }
  }
}

const event = fc.record({ id: fc.constantFrom(...IDS), text: fc.constantFrom(...TEXTS) })
const request = fc.record({
  stream: fc.constantFrom(...STREAMS),
  // relative to the stream's version before the round: 0 is right unless another request of the round comes first
  expected: fc.constantFrom<(number | 'any')[]>('any', 'any', 0, 0, 0, 1, -1, 2),
  events: fc.uniqueArray(event, { minLength: 1, maxLength: 3, selector: ({ id }) => id }),
})
const rounds = fc.array(fc.array(request, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 6 })

let database: Awaited<ReturnType<typeof createTestDatabase>>
let sql: Sql
let appender: Appender

beforeAll(async () => {
  database = await createTestDatabase()
  sql = connect(database.url, { max: 2, name: 'test', keys: TEST_KEYS })
  appender = openAppender(database.url, { keys: TEST_KEYS, batchesInFlight: 1 })
  // requests keep their order once the subject's key is cached
  await appender.append({ stream: 'first', expectedVersion: 0, events: [messageEvent('a key')] })
})

afterAll(async () => {
  await appender.close()
  await sql.end()
  await database.drop()
})

test('the log behaves like a simple list of events for any requests', async () => {
  const seenOutcomes = new Set<string>()
  const matchesModel = fc.asyncProperty(rounds, async (plan) => {
    await sql`truncate events`
    const model = new LogModel()
    for (const round of plan) {
      const requests = round.map(
        ({ stream, expected, events }): AppendRequest => ({
          stream,
          expectedVersion: expected === 'any' ? 'any' : Math.max(0, model.versionOf(stream) + expected),
          events: events.map(({ id, text }) => messageEvent(text, id)),
        }),
      )
      const outcomes = await Promise.all(requests.map((each) => outcomeOf(appender.append(each))))
      for (const outcome of outcomes)
        seenOutcomes.add('code' in outcome ? outcome.code : `known ${outcome.isDuplicate}`)
      expect(outcomes).toEqual(predict(model, requests))
    }

    expect((await readHead(sql)).position).toBe(model.events.length)
    const log = (await readLog(sql, 0, READ_ALL)).map(({ id, stream, position, version, personal }) => ({
      id,
      stream,
      position,
      version,
      text: personal && 'message' in personal ? personal.message : undefined,
    }))
    expect(log).toEqual(model.events)
    const middle = Math.floor(log.length / 2)
    expect((await readLog(sql, middle, 2)).map(({ id }) => id)).toEqual(
      log.slice(middle, middle + 2).map(({ id }) => id),
    )
    for (const stream of STREAMS) {
      const expected = log.filter((stored) => stored.stream === stream).map(({ id }) => id)
      expect((await readStream(sql, stream)).map(({ id }) => id)).toEqual(expected)
      expect((await readStream(sql, stream, { after: 1, limit: 2 })).map(({ id }) => id)).toEqual(expected.slice(1, 3))
    }
  })
  await fc.assert(matchesModel, propertyOptions(RUNS))
  expect([...seenOutcomes].sort()).toEqual(['event_id_reused', 'known false', 'known true', 'wrong_version'])
})
