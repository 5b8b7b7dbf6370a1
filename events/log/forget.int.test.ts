import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { AnyNewEvent } from '../catalogue.ts'
import { chatDeskStreams, chatErased } from '../chat-desk.ts'
import { newLead, postMessage, startChat } from '../fixtures/samples.ts'
import { leadErased, leadStreams } from '../lead.ts'
import { createTestDatabase } from '../local/test-database.ts'
import { TEST_KEYS } from '../local/test-keys.ts'
import { type Appender, openAppender } from './append.ts'
import { notePage } from './chat-pages.ts'
import { noteReceipt } from './chat-receipts.ts'
import { connect, type Sql } from './connection.ts'
import { forget, prepareForgetting } from './forget.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let sql: Sql
let appender: Appender
const by = randomUUID()

beforeAll(async () => {
  database = await createTestDatabase()
  sql = connect(database.url, { max: 8, name: 'test', keys: TEST_KEYS })
  appender = openAppender(database.url, { keys: TEST_KEYS })
})

beforeEach(async () => {
  await sql.unsafe(
    'truncate events, subject_keys, checkpoints, checkpoint_positions, chat_receipts, chat_pages, deliveries cascade',
  )
  await prepareForgetting(sql)
})

afterAll(async () => {
  await appender.close()
  await sql.end()
  await database.drop()
})

const append = (stream: string, event: AnyNewEvent) =>
  appender.append({ stream, expectedVersion: 'any', events: [{ id: randomUUID(), ...event }] })
const eraseLead = (leadId: string) => append(leadStreams.of(leadId), leadErased({ by }))
const eraseChat = (sessionId: string) => append(chatDeskStreams.of(sessionId), chatErased({ by }))
const forgetAll = async () => {
  while (await forget(sql));
}
/** The positions of the events that still hold something personal. */
const personal = async () =>
  (await sql<{ position: number }[]>`select position from events where personal is not null order by position`).map(
    ({ position }) => position,
  )

test('an erased lead leaves nothing personal in the log, and all the rest as it was', async () => {
  const [ana, ben] = [randomUUID(), randomUUID()]
  await appender.append(newLead(ana))
  await appender.append(newLead(ben))
  await eraseLead(ana)
  const before =
    await sql`select position, id, stream, version, type, data, subject_id, recorded_at from events order by position`
  await forgetAll()
  expect(await personal()).toEqual([2])
  expect(
    await sql`select position, id, stream, version, type, data, subject_id, recorded_at from events order by position`,
  ).toEqual(before)
})

test('an erased chat leaves none of its streams, nor what was under way into it then', async () => {
  const [erased, other] = [randomUUID(), randomUUID()]
  for (const id of [erased, other]) {
    await appender.append(startChat(id, 'Thandi'))
    await appender.append(postMessage(id, 'Hello'))
    await noteReceipt(sql, id, 'admin', { delivered: 1, seen: 1 })
    await notePage(sql, { sessionId: id, pageUrl: '/' }, '/contract')
  }
  await eraseChat(erased)
  await appender.append(postMessage(erased, 'Still here'))
  await forgetAll()
  expect(await personal()).toEqual([3, 4])
  const kept = await sql`select session_id as id from chat_receipts union all select session_id from chat_pages`
  expect([...kept]).toEqual([{ id: other }, { id: other }])
  await appender.append(postMessage(erased, 'Too late'))
  await appender.append(postMessage(other, 'In time'))
  await forgetAll()
  expect(await personal()).toEqual([3, 4, 8])
})

test('any number of workers forget at once, while more is erased', async () => {
  const ids = Array.from({ length: 60 }, () => randomUUID())
  let isErasing = true
  const erasing = (async () => {
    for (const id of ids) {
      await appender.append(newLead(id))
      await eraseLead(id)
    }
  })().finally(() => {
    isErasing = false
  })
  const work = async () => {
    while (isErasing) await forget(sql)
  }
  await Promise.all([erasing, work(), work(), work()])
  await forgetAll()
  expect(await personal()).toEqual([])
})

test('a step that breaks off has done nothing, and the next one does it all', async () => {
  const [ana, ben] = [randomUUID(), randomUUID()]
  for (const id of [ana, ben]) await appender.append(newLead(id))
  for (const id of [ana, ben]) await eraseLead(id)
  await sql.unsafe(`
    create function die() returns trigger language plpgsql as $$ begin raise 'out of luck'; end $$;
    create trigger die before update on events for each row when (old.position = 2) execute function die()`)
  await expect(forget(sql)).rejects.toThrow('out of luck')
  expect(await personal()).toEqual([1, 2])
  await sql.unsafe('drop trigger die on events; drop function die')
  await forgetAll()
  expect(await personal()).toEqual([])
})

test('a restored backup, which has it all again, is gone through anew', async () => {
  const ana = randomUUID()
  await appender.append(newLead(ana))
  await eraseLead(ana)
  await forgetAll()
  await sql`update events set personal = '{}' where position = 1`
  await forgetAll()
  expect(await personal()).toEqual([1])
  await sql`update log_head set epoch = gen_random_uuid()`
  await forgetAll()
  expect(await personal()).toEqual([])
  expect(await forget(sql)).toBe(false)
})
