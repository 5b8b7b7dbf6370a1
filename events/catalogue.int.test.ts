import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AnyRecordedEvent, knownVersions, versionKey } from './catalogue.ts'
import { chatMessage, evolveChatSession } from './chat/chat.ts'
import { chatsProjection } from './chat/store/view.ts'
import { LEAD_PACKAGES, LEAD_SOURCES } from './lead/form/kind.ts'
import { evolveLead, type Lead, leadIdOf, leadStreams } from './lead/lead.ts'
import { contractsProjection } from './lead/store/contracts.ts'
import { overviewProjection } from './lead/store/overview.ts'
import { leadsProjection } from './lead/store/view.ts'
import { readLog, readStream } from './log/read.ts'
import { verifyLog } from './log/verify.ts'
import { prepareProjection, project } from './projections/projection.ts'
import { importKeys } from './restore/key-file.ts'
import { importLog } from './restore/log-file.ts'
import { connect, type Sql } from './stores/connection.ts'
import { createTestDatabase } from './testing/database.ts'
import { GOLDEN_DATA_KEY, GOLDEN_KEYS, GOLDEN_LOG, goldenEvents } from './testing/fixtures/golden.ts'
import { SAMPLE_METADATA } from './testing/fixtures/samples.ts'
import { openTestKeys } from './testing/keys.ts'

// The golden log holds every event in every version that a log may hold, as it was written. Its lines are never edited:
// a change of shape gets a new version, a golden event of that version, and an upcaster for the old one
// (fixtures/write-log.cli.ts).

/** The parts of a valibot schema: fields, items, choices, or a wrapped schema. */
type Inner = { entries?: Record<string, Inner>; item?: Inner; wrapped?: Inner; options?: unknown[] }

/** The paths of all fields that a schema knows: `.mapping.name`, `.items[].text`. */
const pathsOf = (schema: unknown, at = ''): string[] => {
  const { entries = {}, item, wrapped, options = [] } = (schema ?? {}) as Inner
  return [
    ...Object.entries(entries).flatMap(([field, inner]) => [`${at}.${field}`, ...pathsOf(inner, `${at}.${field}`)]),
    ...(item ? pathsOf(item, `${at}[]`) : []),
    ...(wrapped ? pathsOf(wrapped, at) : []),
    ...options.flatMap((option) => (typeof option === 'object' ? pathsOf(option, at) : [])),
  ]
}

/** The paths of all fields that a value has. */
const pathsIn = (value: unknown, at = ''): string[] => {
  if (Array.isArray(value)) return value.flatMap((item) => pathsIn(item, `${at}[]`))
  return Object.entries(Object(value)).flatMap(([field, inner]) =>
    typeof value === 'string' ? [] : [`${at}.${field}`, ...pathsIn(inner, `${at}.${field}`)],
  )
}

const golden = goldenEvents.map(({ event }) => event)

test('every version of every event has golden events, in files named after both', () => {
  const named = golden.map(({ type, schemaVersion }) => versionKey(type, schemaVersion))
  expect([...knownVersions.keys()].filter((key) => !named.includes(key))).toEqual([])
  // more than one if an optional field was added later: ChatMessagePosted.v2.file.json
  expect(goldenEvents.map(({ file }) => file.split('.').slice(0, 2).join('.'))).toEqual(named)
  expect(golden.map(({ position }) => position)).toEqual(golden.map((_, index) => index + 1))
})

test('every field of every version is in a golden event, the optional ones too', () => {
  const missing = [...knownVersions].flatMap(([key, known]) => {
    const events = golden.filter(({ type, schemaVersion }) => versionKey(type, schemaVersion) === key)
    return (['data', 'personal'] as const).flatMap((part) => {
      const written = new Set(events.flatMap((event) => pathsIn(event[part])))
      return pathsOf(known[part])
        .filter((path) => !written.has(path))
        .map((path) => `${key}: ${part}${path}`)
    })
  })
  expect(missing).toEqual([])
})

describe.each(goldenEvents)('the golden event $file', ({ event }) => {
  const known = knownVersions.get(versionKey(event.type, event.schemaVersion))

  test('is still accepted, and unchanged by its schema', () => {
    if (!known) throw new Error(`${event.type} is in logs out there: it must stay in the catalogue`)
    expect(v.parse(known.data, event.data)).toEqual(event.data)
    if (known.personal) expect(v.parse(known.personal, event.personal)).toEqual(event.personal)
    else expect([event.subjectId, event.personal]).toEqual([null, null])
  })

  test('is upcast to a shape that the current version accepts, for an erased person too', () => {
    const { upcast, definition } = known ?? {}
    const { data, personal, current } = event
    if (!upcast || !definition) {
      expect(current).toBeUndefined()
      return
    }
    expect(upcast({ data, personal })).toEqual(current)
    expect(v.parse(definition.data, current?.data)).toEqual(current?.data)
    if (definition.personal) expect(v.parse(definition.personal, current?.personal)).toEqual(current?.personal)
    expect(upcast({ data, personal: null })).toEqual({ data: current?.data, personal: null })
  })

  test('holds personal data apart: none of it in its data or in the name of its stream, except our own words', () => {
    const ours: unknown[] = [...LEAD_SOURCES, ...LEAD_PACKAGES]
    const texts = Object.values(event.personal ?? {}).filter(
      (value) => typeof value === 'string' && !ours.includes(value),
    )
    const rest = JSON.stringify([event.data, event.stream])
    expect(texts.filter((text) => rest.includes(text))).toEqual([])
  })
})

describe('the golden log', () => {
  const keys = openTestKeys(GOLDEN_DATA_KEY)
  const projections = [leadsProjection, chatsProjection, overviewProjection, contractsProjection]
  let database: Awaited<ReturnType<typeof createTestDatabase>>
  let sql: Sql

  beforeAll(async () => {
    database = await createTestDatabase()
    sql = connect(database.url, { max: 2, name: 'test', keys })
    for (const projection of projections) await prepareProjection(sql, projection)
    await importLog(sql, GOLDEN_LOG)
    await importKeys(sql, GOLDEN_KEYS, { ring: keys.ring })
  })

  afterAll(async () => {
    await sql.end()
    await database.drop()
  })

  test('has an unbroken chain of hashes', async () => {
    const closing = JSON.parse(readFileSync(GOLDEN_LOG, 'utf8').trim().split('\n').at(-1) ?? '')
    const { position, hash } = await verifyLog(sql)
    expect({ count: position, hash: hash.toString('hex') }).toEqual(closing)
    expect(position).toBe(golden.length)
  })

  test('is read in the current shapes', async () => {
    const events = await readLog(sql, 0, 1_000)
    expect(events).toEqual(
      golden.map(({ current, ...event }) => {
        const { definition } = knownVersions.get(versionKey(event.type, event.schemaVersion)) ?? {}
        const today = {
          schemaVersion: definition?.schemaVersion,
          metadata: SAMPLE_METADATA,
          recordedAt: expect.any(Date),
        }
        return { ...event, ...current, ...today }
      }),
    )
  })

  test('folds into leads, chats and messages', async () => {
    const leadIds = new Set(golden.flatMap(({ stream }) => leadIdOf(stream) ?? []))
    const leads = await Promise.all(
      [...leadIds].map(async (id) =>
        (await readStream(sql, leadStreams.of(id))).reduce<Lead | undefined>(evolveLead, undefined),
      ),
    )
    expect(leads.map((lead) => [lead?.name, lead?.package, lead?.followUpStatus])).toEqual([
      ['Thandi Nkosi', 'Essential - R999', 'won'],
      ['Sipho Dlamini', 'Premium - R2999', 'new'],
      ['Erased', null, 'erased'],
      // taken back with its import
      [undefined, undefined, undefined],
      ['Lerato Mokoena', 'Essential - R999', 'new'],
      ['Pieter Botha', 'Premium - R2999', 'new'],
      [expect.any(String), null, 'new'],
      ['Pieter Botha', 'Premium - R2999', 'new'],
      ['Karoo Bakery', null, 'new'],
    ])
    const events: AnyRecordedEvent[] = await readLog(sql, 0, 1_000)
    const ofSessions = events.filter((event) => event.type === 'ChatStarted' || event.type === 'ChatEnded')
    const sessions = [...Map.groupBy(ofSessions, ({ stream }) => stream).values()].map((some) =>
      some.reduce<ReturnType<typeof evolveChatSession> | undefined>(evolveChatSession, undefined),
    )
    expect(sessions.slice(-2)).toMatchObject([
      { visitorName: 'Thandi', greeting: 'Questions about Premium? Ask us.' },
      { visitorName: 'Sipho', visitorEmail: null, visitorPhone: '082 555 0142' },
    ])
    const messages = events.flatMap((event) => (event.type === 'ChatMessagePosted' ? [chatMessage(event)] : []))
    expect(messages).toMatchObject([
      { sequence: 1, message: 'Hello', clientMessageId: 'm-1', senderType: 'visitor' },
      { sequence: 2, message: 'Hello, how can we help?', senderType: 'admin' },
      { sequence: 3, message: 'Sent a file: shop front.png (120 kB)', file: { name: 'shop front.png', size: 122_880 } },
      { sequence: 4, message: 'You are welcome.', senderType: 'admin' },
    ])
  })

  test('fills every view', async () => {
    for (const projection of projections) {
      expect(await project(sql, projection)).toMatchObject({ advanced: true })
    }
  })
})
