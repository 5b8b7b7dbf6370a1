import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NO_RECEIPTS } from '../../../events/chat/activity.ts'
import { chatStreams, messageStreams } from '../../../events/chat/chat.ts'
import { notePage } from '../../../events/chat/store/pages.ts'
import { noteReceipt } from '../../../events/chat/store/receipts.ts'
import { type Appender, openAppender } from '../../../events/log/append.ts'
import { readVersions } from '../../../events/log/read.ts'
import { connect, type Sql } from '../../../events/stores/connection.ts'
import { createTestDatabase } from '../../../events/testing/database.ts'
import { postMessage, startChat } from '../../../events/testing/fixtures/samples.ts'
import { TEST_KEYS } from '../../../events/testing/keys.ts'
import { LostEvents } from './lost-events.ts'
import { readStoredRoom, type Versions } from './stored-room.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let sql: Sql
let log: Appender
/** The positions whose flush to disk was awaited, and the events that were shown, in order. */
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

test('an event that is not applied yet is applied whole, once it is on disk', async () => {
  const follower = new LostEvents(sql, {
    isLost: ({ position }) => position !== known,
    apply: async ({ type, position }) => void told.push(`${type}: ${position}`),
    compare: async () => {},
    onError: () => {},
  })
  await follower.position()
  told.length = 0
  const known = await say(randomUUID())
  const position = await say(randomUUID())
  await follower.readOn()
  // once for the events read, and once for those opened
  const onDisk = `on the disk: ${position}`
  expect(told).toEqual([onDisk, onDisk, `ChatMessagePosted: ${position}`])
})

test('a room opens with versions that are on disk, and with the stored receipts and pages', async () => {
  const sessionId = randomUUID()
  const start = await log.append(startChat(sessionId, 'Thandi'))
  const position = await say(sessionId)
  await noteReceipt(sql, sessionId, 'admin', { delivered: 1, seen: 0 })
  await notePage(sql, { sessionId, pageUrl: null }, '/pricing')
  const { before, now, ...more } = await readStoredRoom(sql, sessionId, start.events[0]?.position ?? 0)
  const versions = (of: Versions) => [chatStreams, messageStreams].map((each) => of.get(each.of(sessionId)))
  expect([versions(before), versions(now)]).toEqual([
    [1, 0],
    [1, 1],
  ])
  expect(more).toEqual({
    assignee: null,
    activity: { receipts: { ...NO_RECEIPTS, admin: { delivered: 1, seen: 0 } }, pageVersion: 1 },
  })
  told.length = 0
  await readStoredRoom(sql, sessionId, 0)
  await readVersions(sql, [`chat-messages-${sessionId}`])
  expect(told).toEqual([`on the disk: ${position}`, `on the disk: ${position}`])
})
