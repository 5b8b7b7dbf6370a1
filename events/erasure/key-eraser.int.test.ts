import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { chatActivityStreams, chatErased } from '../chat/activity.ts'
import { chatMessagePosted, messageStreams } from '../chat/chat.ts'
import { REMOVE_BATCH_BYTES } from '../chat/store/files.ts'
import { notePage } from '../chat/store/pages.ts'
import { noteReceipt } from '../chat/store/receipts.ts'
import { KEY_ERASER } from '../consumers/acting-consumers.ts'
import { addDeliveries, recordAttempt } from '../email/store/deliveries.ts'
import { leadErased, leadStreams } from '../lead/lead.ts'
import { type Appender, openAppender } from '../log/append.ts'
import { prepareActingConsumer } from '../log/checkpoints.ts'
import { readLog } from '../log/read.ts'
import { connect, type Sql } from '../stores/connection.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { newLead, startChat } from '../testing/fixtures/samples.ts'
import { openTestKeys } from '../testing/keys.ts'
import { eraseKeys } from './key-eraser.ts'

let database: TestDatabase
let sql: Sql
let appender: Appender
const by = randomUUID()

beforeAll(async () => {
  database = await createTestDatabase()
  const keys = openTestKeys()
  sql = connect(database.url, { max: 8, name: 'test', keys })
  appender = openAppender(database.runtimeUrl, { keys })
})

beforeEach(async () => {
  await sql.unsafe(
    'truncate events, subject_keys, checkpoints, checkpoint_positions, chat_receipts, chat_pages, chat_files, deliveries, rewrites cascade',
  )
  await prepareActingConsumer(sql, KEY_ERASER)
})

afterAll(async () => {
  await appender.close()
  await sql.end()
  await database.drop()
})

const eraseLead = (leadId: string) =>
  appender.append({
    stream: leadStreams.of(leadId),
    expectedVersion: 'any',
    events: [{ id: randomUUID(), ...leadErased({ by }) }],
  })
const eraseChat = (sessionId: string) =>
  appender.append({
    stream: chatActivityStreams.of(sessionId),
    expectedVersion: 'any',
    events: [{ id: randomUUID(), ...chatErased({ by }) }],
  })
const say = (sessionId: string, message: string) =>
  appender.append({
    stream: messageStreams.of(sessionId),
    expectedVersion: 'any',
    events: [
      {
        id: randomUUID(),
        ...chatMessagePosted(
          { senderType: 'visitor' },
          { subjectId: sessionId, personal: { senderName: 'Thandi', message, clientMessageId: null } },
        ),
      },
    ],
  })
const forgetAll = async () => {
  while (await eraseKeys(sql));
}
/** The positions of the events whose personal part can still be read. */
const readable = async () =>
  (await readLog(sql, 0, 1_000)).filter(({ personal }) => personal !== null).map(({ position }) => position)
const rows = () => sql`select e::text from events e order by position`

test('an erased lead can no longer be read, and no row of the log changes', async () => {
  const [ana, ben] = [randomUUID(), randomUUID()]
  await appender.append(newLead(ana))
  await appender.append(newLead(ben))
  await eraseLead(ana)
  const before = await rows()
  await forgetAll()
  expect(await readable()).toEqual([2])
  expect(await rows()).toEqual(before)
  const [key] = await sql`select wrapped, ring_key, destroyed_at is not null as "isErased" from subject_keys
    where subject_id = ${ana}`
  expect(key).toEqual({ wrapped: null, ring_key: null, isErased: true })
})

test('an erased chat goes with its pages and receipts, and with data that was being written to it', async () => {
  const [erased, other] = [randomUUID(), randomUUID()]
  for (const id of [erased, other]) {
    await appender.append(startChat(id, 'Thandi'))
    await say(id, 'Hello')
    await noteReceipt(sql, id, 'admin', { delivered: 1, seen: 1 })
    await notePage(sql, { sessionId: id, pageUrl: '/' }, '/contract')
  }
  await eraseChat(erased)
  await say(erased, 'Still here')
  await forgetAll()
  expect(await readable()).toEqual([3, 4])
  const kept = await sql`select session_id as id from chat_receipts union all select session_id from chat_pages`
  expect([...kept]).toEqual([{ id: other }, { id: other }])
  await expect(say(erased, 'Too late')).rejects.toMatchObject({ code: 'erased' })
  await say(other, 'In time')
})

test('a chat with more files than one step deletes is erased step by step, and its key goes with the first', async () => {
  const erased = randomUUID()
  await appender.append(startChat(erased, 'Thandi'))
  await sql`
    insert into chat_files (id, session_id, party, media_type, size, name, bytes)
    select gen_random_uuid(), ${erased}, 'visitor', 'image/png', ${REMOVE_BATCH_BYTES / 2}, 'x', 'x'
    from generate_series(1, 5)`
  await eraseChat(erased)
  const left: number[] = []
  while (await eraseKeys(sql)) {
    expect(await readable()).toEqual([])
    left.push((await sql`select from chat_files`).count)
  }
  expect(left).toEqual([3, 1])
  expect(await sql`select from chat_files`).toHaveLength(0)
  expect(await sql`select from rewrites`).not.toHaveLength(0)
})

test('responses to an email about an erased person are removed, and later ones are not stored', async () => {
  const leadId = randomUUID()
  const { events } = await appender.append(newLead(leadId))
  const [{ id, position } = { id: '', position: 0 }] = events
  await addDeliveries(sql, [
    {
      id,
      position,
      stream: leadStreams.of(leadId),
      recipient: 'agency',
      priority: 1,
      share: null,
      askedAt: new Date(0),
    },
  ])
  await sql`update deliveries set attempts = 2, last_answer = 'Thandi wrote'`
  await sql`insert into delivery_tries (event_id, attempt, answer) values (${id}, 1, 'Thandi wrote'), (${id}, 2, null)`
  await eraseLead(leadId)
  await forgetAll()
  const claim = { eventId: id, stream: '', attempt: 2, attemptSinceRequest: 2, isResent: false, resendPosition: 0 }
  const result = {
    state: 'rejected',
    kind: 'rejected',
    answer: 'Thandi',
    retryAfterMs: undefined,
    outcome: null,
  } as const
  await recordAttempt(sql, claim, result)
  const answers = await sql`select last_answer as answer from deliveries union all select answer from delivery_tries`
  expect([...answers]).toEqual([{ answer: null }, { answer: null }, { answer: null }])
})

test('any number of workers erase at the same time, while more erasures are requested', async () => {
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
    while (isErasing) await eraseKeys(sql)
  }
  await Promise.all([erasing, work(), work(), work()])
  await forgetAll()
  expect(await readable()).toEqual([])
})

test('an interrupted step is repeated as a whole', async () => {
  const [ana, ben] = [randomUUID(), randomUUID()]
  for (const id of [ana, ben]) await appender.append(newLead(id))
  for (const id of [ana, ben]) await eraseLead(id)
  await sql.unsafe(`
    create function die() returns trigger language plpgsql as $$ begin raise 'out of luck'; end $$;
    create trigger die before insert on rewrites for each row execute function die()`)
  await expect(eraseKeys(sql)).rejects.toThrow('out of luck')
  expect(await sql`select from rewrites`).toHaveLength(0)
  await sql.unsafe('drop trigger die on rewrites; drop function die')
  await forgetAll()
  expect(await readable()).toEqual([])
  expect(await sql`select from rewrites`).not.toHaveLength(0)
})

test('a restored backup, which has the key again, is searched again', async () => {
  const ana = randomUUID()
  await appender.append(newLead(ana))
  const [backup] = await sql`select * from subject_keys`
  await eraseLead(ana)
  await forgetAll()
  await sql`update subject_keys set ${sql({ ...backup })}`
  await forgetAll()
  expect(await readable()).toEqual([1])
  await sql`update log_epoch set epoch = gen_random_uuid()`
  await forgetAll()
  expect(await readable()).toEqual([])
  expect(await eraseKeys(sql)).toBe(false)
})
