import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chatEmailStreams, MAX_GIVEN_EMAILS } from '../../../events/chat/given-email.ts'
import { readChat } from '../../../events/chat/store/read-chat.ts'
import { KEY_ERASER } from '../../../events/consumers/acting-consumers.ts'
import { eraseChat } from '../../../events/erasure/append-erasures.ts'
import { eraseKeys } from '../../../events/erasure/key-eraser.ts'
import { LogError } from '../../../events/keys/errors.ts'
import { type Appender, openAppender } from '../../../events/log/append.ts'
import { prepareActingConsumer } from '../../../events/log/checkpoints.ts'
import { readStream } from '../../../events/log/read.ts'
import { connect, type Sql } from '../../../events/stores/connection.ts'
import { type Bus, openBus } from '../../../events/stores/redis/bus.ts'
import { createTestDatabase, type TestDatabase, testRedisUrl } from '../../../events/testing/database.ts'
import { endChat, startChat } from '../../../events/testing/fixtures/samples.ts'
import { openTestKeys } from '../../../events/testing/keys.ts'
import { FrameError } from '../socket/frame.ts'
import { storeEmail } from './given-email.ts'
import { readSession } from './sessions.ts'

/** Enough rounds that either comes first in some. */
const ROUNDS = 60

let database: TestDatabase
let sql: Sql
let log: Appender
let bus: Bus

beforeAll(async () => {
  database = await createTestDatabase()
  const keys = openTestKeys()
  sql = connect(database.url, { max: 8, name: 'test', keys })
  log = openAppender(database.runtimeUrl, { keys })
  bus = openBus(await testRedisUrl(), { prefix: `{${randomUUID()}}:`, onError: () => {} })
  await prepareActingConsumer(sql, KEY_ERASER)
})

afterAll(async () => {
  bus.close()
  await log.close()
  await sql.end()
  await database.drop()
})

const begin = async (visitorEmail: string | null = null) => {
  const sessionId = randomUUID()
  await log.append(startChat(sessionId, 'Thandi', visitorEmail))
  return sessionId
}

const give = (sessionId: string, visitorEmail: string, clientMessageId: string = randomUUID()) =>
  storeEmail({ sql, log }, sessionId, { visitorEmail, clientMessageId })

/** The outcome: `kept`, or the code of the refusal. */
const outcomeOf = (giving: Promise<unknown>) =>
  giving.then(
    () => 'kept',
    (error) => (error instanceof LogError || error instanceof FrameError ? error.code : error),
  )

const givenIn = async (sessionId: string) =>
  (await readStream(sql, chatEmailStreams.of(sessionId))).map(({ personal }) => personal?.visitorEmail)

const erase = (sessionId: string) => eraseChat({ sql, log, bus, logger: { info: () => {} } }, sessionId, randomUUID())

const dropAll = async () => {
  while (await eraseKeys(sql));
}

describe('an address given while a chat is open', () => {
  test('gets the replies from then on, and another one after it', async () => {
    const sessionId = await begin('first@example.co.za')
    await give(sessionId, 'typo@example.co.zz')
    await give(sessionId, 'later@example.co.za')
    expect((await readSession({ sql }, sessionId))?.visitorEmail).toBe('later@example.co.za')
    expect((await readChat(sql, sessionId)).chat?.session.visitorEmail).toBe('later@example.co.za')
  })

  test('is stored once however often it is sent, and not if replies already go to it', async () => {
    const sessionId = await begin('first@example.co.za')
    const clientMessageId = randomUUID()
    await give(sessionId, 'first@example.co.za')
    expect(await givenIn(sessionId)).toEqual([])
    const again = () => give(sessionId, 'later@example.co.za', clientMessageId)
    await Promise.all([again(), again(), again()])
    await give(sessionId, 'third@example.co.za')
    await again()
    expect(await givenIn(sessionId)).toEqual(['later@example.co.za', 'third@example.co.za'])
    expect(await outcomeOf(give(sessionId, 'other@example.co.za', clientMessageId))).toBe('event_id_reused')
    await log.append(endChat(sessionId))
    await again()
    expect(await givenIn(sessionId)).toHaveLength(2)
  })

  test('is one of five at most', async () => {
    const sessionId = await begin()
    const ids = Array.from({ length: MAX_GIVEN_EMAILS + 3 }, () => randomUUID())
    const outcomes: unknown[] = []
    for (const id of ids) outcomes.push(await outcomeOf(give(sessionId, `${id}@example.co.za`, id)))
    const refused = Array(3).fill('not_allowed')
    expect(outcomes).toEqual([...Array(MAX_GIVEN_EMAILS).fill('kept'), ...refused])
    const [first = ''] = ids
    expect(await outcomeOf(give(sessionId, `${first}@example.co.za`, first))).toBe('kept')
    expect(await givenIn(sessionId)).toHaveLength(MAX_GIVEN_EMAILS)
  })

  test('is refused if there is no such chat, or it has ended', async () => {
    const ended = await begin()
    await log.append(endChat(ended))
    for (const sessionId of [ended, randomUUID()]) {
      expect(await outcomeOf(give(sessionId, 'late@example.co.za'))).toBe('guard_failed')
      expect(await givenIn(sessionId)).toEqual([])
    }
  })
})

describe('together with an erasure', () => {
  test('an address from before it is erased with the key of the chat', async () => {
    const sessionId = await begin()
    await give(sessionId, 'mine@example.co.za')
    await erase(sessionId)
    await dropAll()
    expect(await givenIn(sessionId)).toEqual([undefined])
    expect((await readSession({ sql }, sessionId))?.visitorEmail).toBeNull()
    expect((await readChat(sql, sessionId)).chat?.session.visitorEmail).toBeNull()
  })

  test('an address after it is refused', async () => {
    const sessionId = await begin('mine@example.co.za')
    await erase(sessionId)
    for (const address of ['mine@example.co.za', 'late@example.co.za']) {
      expect(await outcomeOf(give(sessionId, address))).toBe('guard_failed')
    }
    await dropAll()
    expect(await outcomeOf(give(sessionId, 'late@example.co.za'))).toBe('erased')
    expect(await givenIn(sessionId)).toEqual([])
  })

  test('an address decided on before it that reaches the log after it is refused', async () => {
    const sessionId = await begin()
    const slowLog: Pick<Appender, 'append'> = {
      append: async (request) => {
        await erase(sessionId)
        return await log.append(request)
      },
    }
    const given = { visitorEmail: 'late@example.co.za', clientMessageId: randomUUID() }
    const giving = storeEmail({ sql, log: slowLog as Appender }, sessionId, given)
    expect(await outcomeOf(giving)).toBe('guard_failed')
    expect(await givenIn(sessionId)).toEqual([])
  })

  test('in either order, nothing is left of the address', async () => {
    const sessionIds = await Promise.all(Array.from({ length: ROUNDS }, () => begin()))
    const outcomes = await Promise.all(
      sessionIds.map(async (sessionId) => {
        const giving = outcomeOf(give(sessionId, 'raced@example.co.za'))
        await erase(sessionId)
        return await giving
      }),
    )
    expect(outcomes.filter((outcome) => outcome !== 'kept' && outcome !== 'guard_failed')).toEqual([])
    await dropAll()
    for (const [index, sessionId] of sessionIds.entries()) {
      expect(await givenIn(sessionId)).toEqual(outcomes[index] === 'kept' ? [undefined] : [])
      expect((await readSession({ sql }, sessionId))?.visitorEmail).toBeNull()
    }
  })
})
