import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NO_RECEIPTS } from '../../events/chat-activity.ts'
import { type Appender, openAppender } from '../../events/log/append.ts'
import { notePage } from '../../events/log/chat-pages.ts'
import { noteReceipt } from '../../events/log/chat-receipts.ts'
import { connect, type Sql } from '../../events/log/connection.ts'
import { readVersions } from '../../events/log/read.ts'
import { createTestDatabase } from '../../events/testing/database.ts'
import { postMessage, startChat } from '../../events/testing/fixtures/samples.ts'
import { TEST_KEYS } from '../../events/testing/keys.ts'
import { openChatFactReader } from './chat-fact-reader.ts'
import { readRoomState } from './room-state.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let sql: Sql
let log: Appender
/** The positions that somebody has waited for to be on the disk, and what was told, in order. */
const told: string[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  const pool = connect(database.url, { max: 2, name: 'test', keys: TEST_KEYS })
  const durable = {
    ...pool.durable,
    upTo: async (position: number) => {
      await pool.durable.upTo(position)
      told.push(`on the disk: ${position}`)
    },
  }
  sql = new Proxy(pool, { get: (target, name) => (name === 'durable' ? durable : Reflect.get(target, name)) })
  log = openAppender(database.url, { keys: TEST_KEYS })
})

afterAll(async () => {
  await Promise.all([log.close(), sql.end()])
  await database.drop()
})

const say = async (sessionId: string) => {
  const { events } = await log.append(postMessage(sessionId, 'hello'))
  return events[0]?.position
}

test('rooms hear of what has happened once it is on the disk', async () => {
  const reader = openChatFactReader(sql, async (facts) => {
    told.push(...facts.map(({ type, position }) => `${type}: ${position}`))
  })
  await reader.position()
  told.length = 0
  const position = await say(randomUUID())
  await reader.readOn()
  expect(told).toEqual([`on the disk: ${position}`, `ChatMessagePosted: ${position}`])
})

test('how far a chat has come is told once it is on the disk, with what is stored around its messages', async () => {
  const sessionId = randomUUID()
  const start = await log.append(startChat(sessionId, 'Thandi'))
  const position = await say(sessionId)
  await noteReceipt(sql, sessionId, 'admin', { delivered: 1, seen: 0 })
  await notePage(sql, { sessionId, pageUrl: null }, '/pricing')
  expect(await readRoomState(sql, sessionId, start.events[0]?.position ?? 0)).toEqual({
    before: { lastSequence: 0, isEnded: false },
    now: { lastSequence: 1, isEnded: false },
    activity: { receipts: { ...NO_RECEIPTS, admin: { delivered: 1, seen: 0 } }, pageVersion: 1 },
  })
  told.length = 0
  await readRoomState(sql, sessionId, 0)
  await readVersions(sql, [`chat-messages-${sessionId}`])
  expect(told).toEqual([`on the disk: ${position}`, `on the disk: ${position}`])
})
