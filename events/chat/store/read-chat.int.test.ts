import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAppender } from '../../log/append.ts'
import { connect, type Sql } from '../../stores/connection.ts'
import { createTestDatabase } from '../../testing/database.ts'
import { startChat } from '../../testing/fixtures/samples.ts'
import { TEST_KEYS } from '../../testing/keys.ts'
import { appendRaw } from '../../testing/raw-event.ts'
import { chatActivityStreams } from '../activity.ts'
import { messageStreams } from '../chat.ts'
import { readChat } from './read-chat.ts'

const MESSAGES = 100_001

let database: Awaited<ReturnType<typeof createTestDatabase>>
let sql: Sql
const sessionId = randomUUID()

/** A chat with a message every second until `end`, the last one a reply; every fiftieth requests an email. */
const fill = async (end: Date) => {
  await sql`
    insert into events (position, id, stream, version, type, schema_version, data, subject_id, personal, metadata, recorded_at, hash)
    select 1 + i + i / 50, gen_random_uuid(), ${messageStreams.of(sessionId)}, i, 'ChatMessagePosted', 2,
      json_build_object('senderType', case when i < ${MESSAGES}::int then 'visitor' else 'admin' end),
      ${sessionId}, null, '{}', ${end}::timestamptz - (${MESSAGES}::int - i) * interval '1 second', ''
    from generate_series(1, ${MESSAGES}::int) i`
  await sql`
    insert into events (position, id, stream, version, type, schema_version, data, metadata, recorded_at, hash)
    select 51 * i, gen_random_uuid(), ${chatActivityStreams.of(sessionId)}, i, 'ChatAnswersUnread', 1,
      json_build_object('after', 0, 'upTo', 50 * i), '{}', ${end}, ''
    from generate_series(1, ${Math.floor(MESSAGES / 50)}::int) i`
}

beforeAll(async () => {
  database = await createTestDatabase()
  sql = connect(database.url, { max: 2, name: 'test', keys: TEST_KEYS })
  const appender = openAppender(database.url, { keys: TEST_KEYS })
  await appender.append(startChat(sessionId, 'Ana'))
  await appender.close()
})

afterAll(async () => {
  await sql.end()
  await database.drop()
})

test('the end of a chat with very many messages is read', async () => {
  const end = new Date()
  await fill(end)
  const { chat, activity } = await readChat(sql, sessionId)
  expect(activity).toBe(2_000)
  expect(chat?.session).toMatchObject({ sessionId, visitorName: 'Ana', isActive: true })
  expect(chat?.progress).toEqual({
    lastSequence: MESSAGES,
    isErased: false,
    lastActivity: end.toISOString(),
    lastAnswer: { sequence: MESSAGES, timestamp: end.toISOString() },
    settled: MESSAGES - 1,
    leadId: null,
    assignedTo: null,
    rating: null,
  })
})

test('activity events that only a newer version knows are skipped', async () => {
  const id = randomUUID()
  const appender = openAppender(database.url, { keys: TEST_KEYS })
  await appender.append(startChat(id, 'Ana'))
  await appender.close()
  await appendRaw(sql, { stream: chatActivityStreams.of(id), type: 'ChatStarred' })
  expect(await readChat(sql, id)).toMatchObject({ chat: { session: { visitorName: 'Ana' } }, activity: 1 })
})

test('a chat that never began does not exist', async () => {
  expect(await readChat(sql, randomUUID())).toEqual({ chat: undefined, activity: 0 })
})
