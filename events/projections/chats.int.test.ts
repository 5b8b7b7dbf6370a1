import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ChatSession, type ChatSessionEvent, chatStream, evolveChatSession } from '../chat.ts'
import { chatDeskStream } from '../chat-desk.ts'
import { propertyOptions } from '../fixtures/property-options.ts'
import { endChat, newLead, postMessage, startChat } from '../fixtures/samples.ts'
import { createTestDatabase } from '../local/test-database.ts'
import { type Appender, openAppender } from '../log/append.ts'
import { connect, type Sql } from '../log/connection.ts'
import { idFromKey } from '../log/event-id.ts'
import { readStream } from '../log/read.ts'
import { activeSessions, chatsProjection } from './chats.ts'
import { prepareProjection, project, rebuildProjection } from './projection.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let sql: Sql
let appender: Appender

beforeAll(async () => {
  database = await createTestDatabase()
  sql = connect(database.url, { max: 8, name: 'test' })
  appender = openAppender(database.url, { onCommit: () => {} })
})

const clear = async () => {
  await sql.unsafe(`truncate events, checkpoints; update log_head set last_position = 0;
    drop schema if exists view_chats cascade; drop schema if exists view_chats_next cascade`)
  await prepareProjection(sql, chatsProjection)
}

beforeEach(clear)

afterAll(async () => {
  await appender.close()
  await sql.end()
  await database.drop()
})

const projectAll = async () => {
  while ((await project(sql, chatsProjection)).hasMore);
}

const foldOf = async (sessionId: string) => {
  const events = (await readStream(sql, chatStream(sessionId))) as ChatSessionEvent[]
  return events.reduce<ChatSession | undefined>(evolveChatSession, undefined)
}

const bySessionId = (sessions: ChatSession[]) => sessions.toSorted((a, b) => a.sessionId.localeCompare(b.sessionId))

/** What happens, one after the other: to one of four sessions, or to the view. */
const happening = fc.oneof(
  fc.record({ session: fc.nat(3), kind: fc.constantFrom('begin or end' as const, 'message' as const) }),
  fc.constantFrom('step' as const, 'rebuild' as const),
)

test('the sessions that go on are the same however far the view lags behind', async () => {
  const isUpToDate = fc.asyncProperty(fc.array(happening, { minLength: 1, maxLength: 25 }), async (happenings) => {
    await clear()
    const run = randomUUID()
    const states = new Map<string, 'active' | 'ended'>()
    for (const each of happenings) {
      if (each === 'step') await projectAll()
      else if (each === 'rebuild') await rebuildProjection(database.url, chatsProjection)
      else {
        const sessionId = idFromKey(run, String(each.session))
        const state = states.get(sessionId)
        if (each.kind === 'message') await appender.append(postMessage(sessionId, 'hello'))
        else if (state === undefined) await appender.append(startChat(sessionId, `Visitor ${each.session}`))
        else if (state === 'active') await appender.append(endChat(sessionId))
        if (each.kind !== 'message') states.set(sessionId, state === undefined ? 'active' : 'ended')
      }
      const expected = await Promise.all(
        [...states].filter(([, state]) => state === 'active').map(([id]) => foldOf(id)),
      )
      const active = await activeSessions(sql)
      expect(bySessionId(active)).toEqual(bySessionId(expected.filter((session) => session !== undefined)))
    }
    await projectAll()
    const rows = await sql<{ session: ChatSession }[]>`select session from view_chats.sessions`
    const folds = await Promise.all([...states.keys()].map(foldOf))
    expect(bySessionId(rows.map(({ session }) => session))).toEqual(
      bySessionId(folds.filter((session) => session !== undefined)),
    )
  })
  await fc.assert(isUpToDate, propertyOptions(25))
})

test('a session is shown with what its visitor gave, newest first', async () => {
  const [first, second] = [randomUUID(), randomUUID()]
  await appender.append(startChat(first, 'Thandi'))
  await appender.append(newLead(randomUUID()))
  await appender.append(startChat(second, 'Sipho'))
  await sql`update events set recorded_at = recorded_at + position * interval '1 second'`
  const sessions = await activeSessions(sql)
  expect(sessions.map(({ sessionId }) => sessionId)).toEqual([second, first])
  const event = (await readStream(sql, chatStream(first)))[0]
  expect(sessions[1]).toEqual({
    sessionId: first,
    visitorName: 'Thandi',
    visitorEmail: null,
    pageUrl: 'https://www.example.com/',
    userAgent: 'Test/1.0',
    isActive: true,
    startTime: event?.recordedAt.toISOString(),
    endTime: null,
  })
  await projectAll()
  expect(await activeSessions(sql)).toEqual(sessions)
})

test('a session is found by its visitor’s address and the lead that it became, until it is erased', async () => {
  const [sessionId, leadId, by] = [randomUUID(), randomUUID(), randomUUID()]
  const desk = async (event: { type: 'ChatBecameLead'; data: { leadId: string; by: string } } | ErasedEvent) => {
    const events = [{ id: randomUUID(), ...event, subjectId: null, personal: null }]
    await appender.append({ stream: chatDeskStream(sessionId), expectedVersion: 'any', events })
  }
  type ErasedEvent = { type: 'ChatErased'; data: { by: string } }
  await appender.append(startChat(sessionId, 'Thandi', 'Thandi@Example.co.za '))
  await desk({ type: 'ChatBecameLead', data: { leadId, by } })
  await projectAll()
  const row = () => sql`select email_key, lead_id, session from view_chats.sessions`
  expect(await row()).toMatchObject([{ email_key: 'thandi@example.co.za', lead_id: leadId }])
  await desk({ type: 'ChatErased', data: { by } })
  const erased = { visitorName: 'Erased', visitorEmail: null, pageUrl: null, userAgent: null, isActive: true }
  expect(await activeSessions(sql)).toMatchObject([erased])
  await projectAll()
  const expected = [{ email_key: null, lead_id: leadId, session: { sessionId, ...erased } }]
  expect(await row()).toMatchObject(expected)
  await rebuildProjection(database.url, chatsProjection)
  expect(await row()).toMatchObject(expected)
})

test('no session is missed or shown too long while workers project and rebuild', async () => {
  let isOver = false
  const staying = Array.from({ length: 5 }, () => randomUUID())
  for (const id of staying) await appender.append(startChat(id, 'stays'))
  const write = async () => {
    for (let turn = 0; turn < 60 && !isOver; turn++) {
      const id = randomUUID()
      await appender.append(startChat(id, 'passes'))
      expect((await activeSessions(sql)).map(({ sessionId }) => sessionId)).toContain(id)
      await appender.append(endChat(id))
      expect((await activeSessions(sql)).map(({ sessionId }) => sessionId)).not.toContain(id)
    }
  }
  const work = async () => {
    while (!isOver) await project(sql, chatsProjection)
  }
  const rebuild = async () => {
    while (!isOver) await rebuildProjection(database.url, chatsProjection)
  }
  const read = async () => {
    while (!isOver) {
      const found = (await activeSessions(sql)).filter(({ visitorName }) => visitorName === 'stays')
      expect(found).toHaveLength(staying.length)
    }
  }
  const over = () => {
    isOver = true
  }
  await Promise.all([write().finally(over), work().finally(over), rebuild().finally(over), read().finally(over)])
})
