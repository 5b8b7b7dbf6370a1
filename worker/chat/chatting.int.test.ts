import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS, MINUTE_MS } from '../../events/base/time.ts'
import { chatActivityStreams, chatErased, type Receipt } from '../../events/chat/activity.ts'
import { chatMessagePosted, chatStreams, messageStreams } from '../../events/chat/chat.ts'
import { chatEmailGiven, chatEmailStreams } from '../../events/chat/given-email.ts'
import { ALL_SESSIONS, parseNotification } from '../../events/chat/store/chat-notifications.ts'
import { PRESENCE_RETENTION_DAYS } from '../../events/chat/store/chat-traces.ts'
import { unreadChats } from '../../events/chat/store/list.ts'
import { noteReceipt } from '../../events/chat/store/receipts.ts'
import { chatsProjection } from '../../events/chat/store/view.ts'
import { rebuildProjection } from '../../events/consumers/rebuild.ts'
import { openWorkQueue } from '../../events/consumers/wake-ups.ts'
import { needlessBecause } from '../../events/email/store/compose.ts'
import { type Appender, openAppender } from '../../events/log/append.ts'
import { readStream } from '../../events/log/read.ts'
import { prepareProjection, project, schemaOf } from '../../events/projections/projection.ts'
import { connect, type Sql } from '../../events/stores/connection.ts'
import { type Bus, openBus } from '../../events/stores/redis/bus.ts'
import { connectRedis } from '../../events/stores/redis/redis.ts'
import { createTestDatabase, testRedisUrl } from '../../events/testing/database.ts'
import { startChat as chatStart, endChat } from '../../events/testing/fixtures/samples.ts'
import { TEST_KEYS } from '../../events/testing/keys.ts'
import { eventually } from '../../events/testing/node.ts'
import { WorkLoop } from '../consumers/work-loop.ts'
import { upkeepSweeps } from '../sweeps.ts'
import type { Chatting } from './chatting.ts'
import { endIdleChats, IDLE_AFTER_MS } from './idle.ts'
import { noteUnreadAnswers, UNREAD_AFTER_MS } from './unread.ts'

const logger: Chatting['logger'] = { info: () => {}, error: () => {} }
const VIEW = schemaOf(chatsProjection)

let database: Awaited<ReturnType<typeof createTestDatabase>>
let sql: Sql
let log: Appender
let bus: Bus
/** Two workers. */
let workers: [Chatting, Chatting]
let other: Appender

beforeAll(async () => {
  database = await createTestDatabase()
  sql = connect(database.url, { max: 8, name: 'test', keys: TEST_KEYS })
  log = openAppender(database.url, { keys: TEST_KEYS })
  other = openAppender(database.url, { keys: TEST_KEYS })
  bus = openBus(await testRedisUrl(), { prefix: `{${randomUUID()}}:`, onError: () => {} })
  workers = [
    { sql, log, bus, logger },
    { sql, log: other, bus, logger },
  ]
  await prepareProjection(sql, chatsProjection)
})

beforeEach(async () => {
  await sql.unsafe('truncate events, chat_receipts')
  await clearView()
})

afterAll(async () => {
  bus.close()
  await Promise.all([log.close(), other.close()])
  await sql.end()
  await database.drop()
})

const projectAll = async () => {
  while ((await project(sql, chatsProjection)).hasMore);
}

const clearView = () =>
  sql.unsafe(`truncate ${VIEW}.sessions, ${VIEW}.said, ${VIEW}.addresses; delete from checkpoint_positions`)

/** Everything stored so far happened so much earlier. */
const letPass = async (ms: number) => {
  await sql`update events set recorded_at = recorded_at - ${ms} * interval '1 millisecond'`
  await clearView()
}

const startChat = async (email: string | null = 'ana@example.co.za') => {
  const sessionId = randomUUID()
  await log.append(chatStart(sessionId, 'Ana', email))
  return sessionId
}

const write = (sessionId: string, senderType: 'visitor' | 'admin') => {
  const personal = { senderName: 'X', message: 'hello', clientMessageId: null }
  const event = chatMessagePosted({ senderType }, { subjectId: sessionId, personal })
  const events = [{ id: randomUUID(), ...event }]
  return log.append({ stream: messageStreams.of(sessionId), expectedVersion: 'any', events })
}

const see = (sessionId: string, receipt: Receipt) => noteReceipt(sql, sessionId, 'visitor', receipt)

/** Runs a round of both workers at once, on an up-to-date view. */
const roundOf = async (task: (worker: Chatting, at: { now: Date }) => Promise<void>, now = new Date()) => {
  await projectAll()
  await Promise.all(workers.map((worker) => task(worker, { now })))
}

const mailed = async (sessionId: string) =>
  (await readStream(sql, chatActivityStreams.of(sessionId))).flatMap((event) =>
    event.type === 'ChatAnswersUnread' ? [{ ...event.data, to: event.personal?.to }] : [],
  )

describe('replies that the visitor has not seen', () => {
  test('go out once by email, some minutes after the last of them, even if two workers look at once', async () => {
    const sessionId = await startChat(' ana@example.co.za ')
    await write(sessionId, 'visitor')
    await write(sessionId, 'admin')
    await letPass(UNREAD_AFTER_MS - MINUTE_MS)
    await write(sessionId, 'admin')
    await letPass(UNREAD_AFTER_MS - MINUTE_MS)
    await roundOf(noteUnreadAnswers)
    expect(await mailed(sessionId)).toEqual([])
    await letPass(2 * MINUTE_MS)
    for (let round = 0; round < 3; round += 1) await roundOf(noteUnreadAnswers)
    expect(await mailed(sessionId)).toEqual([{ after: 1, upTo: 3, to: 'ana@example.co.za' }])

    await write(sessionId, 'admin')
    await letPass(2 * UNREAD_AFTER_MS)
    await roundOf(noteUnreadAnswers)
    expect(await mailed(sessionId)).toMatchObject([{ upTo: 3 }, { after: 3, upTo: 4 }])
  })

  test('go out to the latest address that the visitor gave, also after the reply', async () => {
    const sessionId = await startChat(null)
    await write(sessionId, 'admin')
    await letPass(2 * UNREAD_AFTER_MS)
    await roundOf(noteUnreadAnswers)
    expect(await mailed(sessionId)).toEqual([])
    for (const visitorEmail of ['typo@example.co.zz', 'later@example.co.za']) {
      const event = chatEmailGiven({}, { subjectId: sessionId, personal: { visitorEmail } })
      const events = [{ id: randomUUID(), ...event }]
      await log.append({ stream: chatEmailStreams.of(sessionId), expectedVersion: 'any', events })
    }
    for (let round = 0; round < 2; round += 1) await roundOf(noteUnreadAnswers)
    expect(await mailed(sessionId)).toEqual([{ after: 0, upTo: 1, to: 'later@example.co.za' }])
  })

  test('go out once even if the worker died before its view was up to date', async () => {
    const sessionId = await startChat()
    await write(sessionId, 'admin')
    await letPass(2 * UNREAD_AFTER_MS)
    await projectAll()
    for (const worker of [...workers, ...workers]) await noteUnreadAnswers(worker, { now: new Date() })
    expect(await mailed(sessionId)).toHaveLength(1)
    await rebuildProjection({ databaseUrl: database.url, keys: TEST_KEYS }, chatsProjection)
    await roundOf(noteUnreadAnswers)
    expect(await mailed(sessionId)).toHaveLength(1)
  })

  test.each<[string, (sessionId: string) => Promise<unknown>]>([
    ['were seen meanwhile', (sessionId) => see(sessionId, { delivered: 2, seen: 2 })],
    ['were answered', (sessionId) => write(sessionId, 'visitor')],
    [
      'were written after the chat had been erased',
      (sessionId) =>
        log.append({
          stream: chatActivityStreams.of(sessionId),
          expectedVersion: 'any',
          events: [{ id: randomUUID(), ...chatErased({ by: randomUUID() }) }],
        }),
    ],
  ])('and %s do not, even where the view does not know that yet', async (_, happen) => {
    const sessionId = await startChat()
    await write(sessionId, 'visitor')
    await write(sessionId, 'admin')
    await letPass(2 * UNREAD_AFTER_MS)
    await projectAll()
    await happen(sessionId)
    for (const worker of workers) await noteUnreadAnswers(worker, { now: new Date() })
    expect(await mailed(sessionId)).toEqual([])
    await roundOf(noteUnreadAnswers)
    expect(await mailed(sessionId)).toEqual([])
  })

  test('and are seen at the very moment when a worker notes them are found as seen before they are sent', async () => {
    const sessionId = await startChat()
    await write(sessionId, 'admin')
    await letPass(2 * UNREAD_AFTER_MS)
    await projectAll()
    const append: Appender['append'] = async (request) => {
      await see(sessionId, { delivered: 1, seen: 1 })
      return await log.append(request)
    }
    await noteUnreadAnswers({ ...workers[0], log: { ...log, append } }, { now: new Date() })
    const asked = (await readStream(sql, chatActivityStreams.of(sessionId))).map((event) => needlessBecause(sql, event))
    expect(await Promise.all(asked)).toMatchObject([{ kind: 'seen' }])
  })

  test('but have arrived on a screen without a viewer go out; those that were seen before them do not', async () => {
    const sessionId = await startChat()
    for (let count = 0; count < 4; count += 1) await write(sessionId, 'admin')
    await see(sessionId, { delivered: 4, seen: 2 })
    await letPass(2 * UNREAD_AFTER_MS)
    await roundOf(noteUnreadAnswers)
    expect(await mailed(sessionId)).toMatchObject([{ after: 2, upTo: 4 }])
  })

  test('and have been seen are not even read', async () => {
    const sessionId = await startChat()
    await write(sessionId, 'admin')
    await write(sessionId, 'admin')
    await letPass(2 * UNREAD_AFTER_MS)
    await projectAll()
    const lookedAt = () => unreadChats(sql, { from: new Date(Date.now() - DAY_MS), to: new Date() }, 10)
    await see(sessionId, { delivered: 2, seen: 1 })
    expect(await lookedAt()).toEqual([sessionId])
    await see(sessionId, { delivered: 2, seen: 2 })
    expect(await lookedAt()).toEqual([])
  })

  test('go out after the chat has ended too, as the visitor has not been notified', async () => {
    const sessionId = await startChat()
    await write(sessionId, 'admin')
    await log.append(endChat(sessionId))
    await letPass(2 * UNREAD_AFTER_MS)
    await roundOf(noteUnreadAnswers)
    expect(await mailed(sessionId)).toMatchObject([{ after: 0, upTo: 1 }])
  })

  test.each([null, 'no address', 'a@b'])('have nowhere to go with the address %j', async (email) => {
    const sessionId = await startChat(email)
    await write(sessionId, 'admin')
    await letPass(2 * UNREAD_AFTER_MS)
    await roundOf(noteUnreadAnswers)
    expect(await mailed(sessionId)).toEqual([])
  })

  test('are dropped after three days, and so are the visitor’s messages', async () => {
    const [old, own] = [await startChat(), await startChat()]
    await write(old, 'admin')
    await letPass(4 * DAY_MS)
    await write(own, 'visitor')
    await letPass(2 * UNREAD_AFTER_MS)
    await roundOf(noteUnreadAnswers)
    expect([...(await mailed(old)), ...(await mailed(own))]).toEqual([])
  })
})

describe('a silent chat', () => {
  const endsOf = async (sessionId: string) =>
    (await readStream(sql, chatStreams.of(sessionId))).flatMap((event) =>
      event.type === 'ChatEnded' ? [event.data.endedBy] : [],
    )

  test('ends by itself after a day, once, and its participants are notified', async () => {
    const told: unknown[] = []
    await bus.subscribe(ALL_SESSIONS, (text) => told.push(parseNotification(text)))
    const [silent, written] = [await startChat(), await startChat()]
    await letPass(IDLE_AFTER_MS - MINUTE_MS)
    await roundOf(endIdleChats)
    expect(await endsOf(silent)).toEqual([])
    await write(written, 'visitor')
    await letPass(2 * MINUTE_MS)
    for (let round = 0; round < 2; round += 1) await roundOf(endIdleChats)
    expect(await endsOf(silent)).toEqual(['idle'])
    expect(await endsOf(written)).toEqual([])
    const endOf = (sessionId: string) =>
      expect.objectContaining({ type: 'ChatEnded', stream: chatStreams.of(sessionId) })
    await eventually(() => expect(told).toContainEqual(endOf(silent)))
    expect(told).not.toContainEqual(endOf(written))
  })

  test.each<[string, (sessionId: string) => Promise<unknown>, string[]]>([
    ['in which somebody has just written', (sessionId) => write(sessionId, 'visitor'), []],
    ['that has just been ended', (sessionId) => log.append(endChat(sessionId)), ['admin']],
  ])('%s is left as it is, even where the view does not know that yet', async (_, happen, ends) => {
    const sessionId = await startChat()
    await letPass(2 * IDLE_AFTER_MS)
    await projectAll()
    await happen(sessionId)
    for (const worker of workers) await endIdleChats(worker, { now: new Date() })
    expect(await endsOf(sessionId)).toEqual(ends)
  })
})

test('without Redis everything continues by the clock of the worker, also after a failure', async () => {
  const [silent, unread] = [await startChat(), await startChat()]
  await letPass(2 * IDLE_AFTER_MS)
  await write(unread, 'admin')
  await letPass(2 * UNREAD_AFTER_MS)
  await projectAll()
  await sql`
    insert into chat_receipts values (gen_random_uuid(), 'visitor', 1, 1, current_date - ${PRESENCE_RETENTION_DAYS + 2}::integer)`
  await sql`alter schema ${sql(VIEW)} rename to away`
  const failures: unknown[] = []
  const failing = { warn: () => {}, error: (failure: unknown) => failures.push(failure) }
  const { signal } = new AbortController()
  const rewriting = { sql, logger, directUrl: database.url, keysDatabaseUrl: undefined }
  const sweeps = upkeepSweeps({ chatting: workers[0], rewriting, signal }).map((sweep) => ({ ...sweep, everyMs: 20 }))
  const names = { prefix: `{${randomUUID()}}:`, onError: () => {} }
  const patient = connectRedis(await testRedisUrl(), { maxRetriesPerRequest: null })
  const away = connectRedis('redis://127.0.0.1:1', { enableOfflineQueue: false, maxRetriesPerRequest: 0 })
  away.on('error', () => {})
  const queue = openWorkQueue(away, names)
  const running = new WorkLoop({ sql, logger: failing, consumers: [], sweeps, queue }, patient, names)
  try {
    await eventually(() => expect(failures.length).toBeGreaterThan(1))
    await sql`alter schema away rename to ${sql(VIEW)}`
    await eventually(async () => {
      expect((await readStream(sql, chatStreams.of(silent))).at(-1)?.type).toBe('ChatEnded')
      expect(await mailed(unread)).toHaveLength(1)
      expect(await sql`select from chat_receipts`).toHaveLength(0)
    })
  } finally {
    await running.stop()
    for (const redis of [patient, away]) redis.disconnect()
  }
})
