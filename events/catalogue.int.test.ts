import { readdirSync, readFileSync } from 'node:fs'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AnyRecordedEvent, catalogue } from './catalogue.ts'
import { type ChatSessionEvent, chatMessage, evolveChatSession } from './chat.ts'
import { evolveLead, type LeadEvent, leadIdOf } from './lead.ts'
import { createTestDatabase } from './local/test-database.ts'
import { TEST_KEYS } from './local/test-keys.ts'
import { connect, type Sql } from './log/connection.ts'
import { readLog } from './log/read.ts'

// Golden events: as they were stored, one of each type and schema version that the log may hold. They are never edited: a
// change of shape gets a new schema version, a new fixture, and an upcaster for the old one.

const FOLDER = new URL('./fixtures/', import.meta.url)
type Stored = Omit<AnyRecordedEvent, 'recordedAt'> & { recordedAt: string }
const fixtures = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.json'))
  .map((file) => ({ file, event: JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as Stored }))

test('every type of event has a fixture in its schema version, named after both', () => {
  const expected = [...catalogue.values()].map(({ type, schemaVersion }) => `${type}.v${schemaVersion}.json`)
  const files = fixtures.map(({ file }) => file)
  expect(expected.filter((file) => !files.includes(file))).toEqual([])
  for (const { file, event } of fixtures) expect(file).toBe(`${event.type}.v${event.schemaVersion}.json`)
})

describe.each(fixtures)('the stored event $file', ({ event }) => {
  test('is still accepted, and comes out of its schema as it is', () => {
    const definition = catalogue.get(event.type)
    if (!definition) throw new Error(`${event.type} is in logs out there: it must stay in the catalogue`)
    expect(v.parse(definition.data, event.data)).toEqual(event.data)
    if (definition.personal) expect(v.parse(definition.personal, event.personal)).toEqual(event.personal)
    else expect([event.subjectId, event.personal]).toEqual([null, null])
  })

  test('holds what is personal apart: nothing of it in its data or in the name of its stream', () => {
    const texts = Object.values(event.personal ?? {}).filter((value) => typeof value === 'string')
    const rest = JSON.stringify([event.data, event.stream])
    expect(texts.filter((text) => rest.includes(text))).toEqual([])
  })
})

let database: Awaited<ReturnType<typeof createTestDatabase>>
let sql: Sql

beforeAll(async () => {
  database = await createTestDatabase()
  sql = connect(database.url, { max: 1, name: 'test', keys: TEST_KEYS })
})

afterAll(async () => {
  await sql.end()
  await database.drop()
})

test('a log that holds all of them is read and folded', async () => {
  for (const [index, { event }] of fixtures.entries()) {
    await sql`
      insert into events (position, id, stream, version, type, schema_version, data, subject_id, personal, recorded_at)
      values (${index + 1}, ${event.id}, ${event.stream}, ${index + 1}, ${event.type}, ${event.schemaVersion},
        ${sql.json(event.data as never)}, ${event.subjectId}, ${event.personal && sql.json(event.personal as never)},
        ${event.recordedAt})`
  }
  const events = await readLog(sql, 0, 1_000)
  expect(events).toEqual(
    fixtures.map(({ event }, index) => ({
      ...event,
      position: index + 1,
      version: index + 1,
      recordedAt: new Date(event.recordedAt),
    })),
  )
  for (const event of events) {
    if (event.type === 'ChatMessagePosted') expect(chatMessage(event)).toMatchObject({ message: 'Hello' })
    else if (event.type === 'ChatStarted' || event.type === 'ChatEnded') {
      const started = events.find(({ type }) => type === 'ChatStarted') as ChatSessionEvent
      expect(evolveChatSession(evolveChatSession(undefined, started), event)).toMatchObject({ visitorName: 'Thandi' })
    } else if (leadIdOf(event.stream)) {
      const submitted = events.find(({ type }) => type === 'LeadSubmitted') as LeadEvent
      expect(evolveLead(evolveLead(undefined, submitted), event as LeadEvent)?.id).toBe(leadIdOf(event.stream))
    }
  }
})
