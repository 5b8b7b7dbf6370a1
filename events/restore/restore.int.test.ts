import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AnyNewEvent } from '../catalogue.ts'
import { chatActivityStreams, chatAnswersUnread } from '../chat/activity.ts'
import { chatStreams } from '../chat/chat.ts'
import { emailFailed, emailResendRequested, emailSent } from '../email/email.ts'
import { readyDeliveries } from '../email/store/ready-deliveries.ts'
import { catchUpDeliveries } from '../email/store/restored-deliveries.ts'
import { readErased } from '../erasure/erased-subjects.ts'
import { destroyKeys, openSubjectKeys, type SubjectKeys } from '../keys/subject-keys.ts'
import { leadReleased, leadStreams, leadSubmitted } from '../lead/lead.ts'
import { leadsProjection } from '../lead/store/view.ts'
import { type Appender, openAppender } from '../log/append.ts'
import { readHead, readStream } from '../log/read.ts'
import { prepareProjection, project } from '../projections/projection.ts'
import { connect, type Sql } from '../stores/connection.ts'
import { createTestDatabase } from '../testing/database.ts'
import { newLead, startChat } from '../testing/fixtures/samples.ts'
import { TEST_KEYS } from '../testing/keys.ts'
import { assertServable, bindLog } from './log-binding.ts'
import { destroyErasedKeys } from './replayed-erasures.ts'
import { restoreLog } from './restore.ts'

const NO_REDIS = 'redis://127.0.0.1:1'
const by = randomUUID()

let database: Awaited<ReturnType<typeof createTestDatabase>>
let sql: Sql
let log: Appender

beforeAll(async () => {
  database = await createTestDatabase()
  sql = connect(database.url, { max: 4, name: 'test', keys: TEST_KEYS })
})

beforeEach(async () => {
  await sql`truncate events, checkpoints, checkpoint_positions, subject_keys, deliveries cascade`
  log = openAppender(database.url, { keys: TEST_KEYS })
})

afterEach(async () => {
  await log.close()
  await bindLog(sql)
})

afterAll(async () => {
  await sql.end()
  await database.drop()
})

const erasure = (subjectId: string) => ({ subjectId, erasedAt: '2026-01-15T08:30:00.000Z' })

/** Restores while only this test is connected. */
const restore = async ({
  ledger = [] as string[],
  keys = TEST_KEYS,
  areKeysLost = false,
  openLog = () => openAppender(database.url, { keys }),
} = {}) => {
  await log.close()
  return await restoreLog({ sql, keys, openLog }, { ledger: ledger.map(erasure), areKeysLost })
}

const append = (stream: string, ...events: AnyNewEvent[]) =>
  log.append({ stream, expectedVersion: 'any', events: events.map((event) => ({ id: randomUUID(), ...event })) })

const schemas = async () =>
  (await sql<{ name: string }[]>`select nspname as name from pg_namespace where nspname like 'view\\_%'`).map(
    ({ name }) => name,
  )
const due = async () => (await readyDeliveries(sql, { perShare: 1 })).map(({ eventId }) => eventId)
const consumers = () =>
  sql`select consumer, position::integer as position, epoch from checkpoints join checkpoint_positions using (consumer, version)`

test('gives the log a new epoch, and leaves neither views nor checkpoints but the dispatcher at the end', async () => {
  await prepareProjection(sql, leadsProjection)
  await log.append(newLead(randomUUID()))
  await project(sql, leadsProjection)
  const before = await readHead(sql)
  expect(await schemas()).not.toEqual([])
  const { head, erased, lost } = await restore()
  expect([head.position, erased, lost]).toEqual([1, 0, 0])
  const { epoch } = await readHead(sql)
  expect(epoch).not.toBe(before.epoch)
  expect(await schemas()).toEqual([])
  expect(await consumers()).toEqual([{ consumer: 'dispatch', position: 1, epoch }])
  await assertServable(sql, { redisUrl: NO_REDIS })
})

test('changes nothing while a node or a worker is connected', async () => {
  const before = await readHead(sql)
  for (const name of ['api', 'worker', 'append']) {
    const other = connect(database.url, { max: 1, name })
    await other`select 1`
    await expect(restore()).rejects.toThrow(`connected to this database (1 of ${name}): stop them first`)
    await other.end()
  }
  expect(await readHead(sql)).toEqual(before)
  await assertServable(sql, { redisUrl: NO_REDIS })
})

test('changes nothing if the log was changed', async () => {
  await log.append(newLead(randomUUID()))
  await sql`update events set data = '{}'`
  const before = await readHead(sql)
  await expect(restore({ ledger: [randomUUID()] })).rejects.toThrow(/^Event 1 \(LeadSubmitted in lead-.*\) was changed/)
  expect(await readHead(sql)).toEqual(before)
  expect(await readErased(sql)).toEqual([])
})

test('changes nothing if keys are missing, unless they are declared lost', async () => {
  const [kept, lost, erased] = [randomUUID(), randomUUID(), randomUUID()]
  for (const id of [kept, lost, erased]) await log.append(newLead(id))
  await sql`delete from subject_keys where subject_id <> ${kept}`
  const before = await readHead(sql)
  await expect(restore({ ledger: [erased] })).rejects.toThrow(
    'The keys of 1 data subjects are missing: run npm run log -- keys import FILE first',
  )
  expect(await readHead(sql)).toEqual(before)
  expect(await readErased(sql)).toEqual([])
  expect((await restore({ ledger: [erased], areKeysLost: true })).erased).toBe(2)
  expect((await readErased(sql)).map(({ subjectId }) => subjectId).toSorted()).toEqual([lost, erased].toSorted())
})

test('that was interrupted leaves a log that no process serves, until it is repeated', async () => {
  const lead = randomUUID()
  await log.append(newLead(lead))
  const openLog = () => {
    throw new Error('killed')
  }
  await expect(restore({ ledger: [lead], openLog })).rejects.toThrow('killed')
  await expect(assertServable(sql, { redisUrl: NO_REDIS })).rejects.toThrow('nothing may serve it yet')
  expect((await restore({ ledger: [lead] })).lost).toBe(1)
  expect((await restore({ ledger: [lead] })).lost).toBe(0)
  await assertServable(sql, { redisUrl: NO_REDIS })
})

test('erases the people in the ledger again: leads, and chats that are still open', async () => {
  const [lead, chat, stranger] = [randomUUID(), randomUUID(), randomUUID()]
  await log.append(newLead(lead))
  await log.append(startChat(chat, 'Thandi'))
  expect(await restore({ ledger: [lead, chat, stranger] })).toMatchObject({ erased: 3, lost: 2 })
  const read = async (stream: string) => (await readStream(sql, stream)).map(({ type, personal }) => [type, personal])
  expect(await read(leadStreams.of(lead))).toEqual([
    ['LeadSubmitted', null],
    ['LeadErased', null],
  ])
  expect(await read(chatStreams.of(chat))).toEqual([
    ['ChatStarted', null],
    ['ChatEnded', null],
  ])
  expect(await read(chatActivityStreams.of(chat))).toEqual([['ChatErased', null]])
  const [erased] = await readStream(sql, leadStreams.of(lead), { after: 1 })
  expect(erased?.metadata.actor).toEqual({ type: 'system', name: 'restore' })
  log = openAppender(database.url, { keys: TEST_KEYS })
  await expect(log.append(startChat(stranger, 'Back'))).rejects.toMatchObject({ code: 'erased' })
})

describe('with keys in a database of their own', () => {
  let store: Awaited<ReturnType<typeof createTestDatabase>>
  let apart: Sql
  let keys: SubjectKeys

  beforeAll(async () => {
    store = await createTestDatabase()
    apart = connect(store.url, { max: 2, name: 'keys' })
    keys = openSubjectKeys(TEST_KEYS.ring, apart)
  })

  afterAll(async () => {
    await apart.end()
    await store.drop()
  })

  test('a key that is only in the log’s database is missing, a tombstone there is not', async () => {
    const [beside, erased] = [randomUUID(), randomUUID()]
    for (const id of [beside, erased]) await log.append(newLead(id))
    await destroyKeys(sql, TEST_KEYS, [erased])
    await expect(restore({ keys })).rejects.toThrow('The keys of 1 data subjects are missing')
    expect(await readErased(apart)).toEqual([])
    await apart`insert into subject_keys ${apart(await sql`select * from subject_keys where subject_id = ${beside}`)}`
    expect((await restore({ keys })).erased).toBe(1)
    await apart`truncate subject_keys`
  })

  test('both stores know everyone erased: by the ledger, by the log and by the keys', async () => {
    const [byLedger, byLog, byKeys] = [randomUUID(), randomUUID(), randomUUID()]
    await destroyErasedKeys(sql, [erasure(byLog)])
    await destroyErasedKeys(apart, [erasure(byKeys)])
    expect((await restore({ ledger: [byLedger], keys })).erased).toBe(3)
    const all = [byLedger, byLog, byKeys].toSorted()
    for (const each of [sql, apart]) {
      expect((await readErased(each)).map(({ subjectId }) => subjectId).toSorted()).toEqual(all)
    }
    await assertServable(sql, { redisUrl: NO_REDIS, apart })
  })
})

describe('deliveries, if the table is lost', () => {
  const submit = async (leadId: string, suspicion?: ['trap']) => {
    const { events } = newLead(leadId, { leadSource: 'contract_premium', businessName: 'Shop', agreedToTerms: true })
    const [event] = events
    if (event?.type !== leadSubmitted.type) throw new Error('A lead begins with its form')
    const data = { ...event.data, ...(suspicion && { suspicion }) }
    await log.append({ stream: leadStreams.of(leadId), expectedVersion: 0, events: [{ ...event, id: leadId, data }] })
  }
  const sent = (emailId: string, attempt: number) => emailSent({ emailId, attempt, to: 'service' })
  const failed = (emailId: string, attempt: number) =>
    emailFailed({ emailId, attempt, willRetry: false, reason: 'rejected' })
  const again = (emailId: string) => emailResendRequested({ emailId, by })

  test('follow the log: sent emails are not sent again, open ones are', async () => {
    const ids = Array.from({ length: 7 }, () => randomUUID())
    const [done, open, refused, askedAgain, sentAgain, quarantined, released] = ids as [
      string,
      string,
      string,
      string,
      string,
      string,
      string,
    ]
    for (const id of [done, open, refused, askedAgain, sentAgain]) await submit(id)
    for (const id of [quarantined, released]) await submit(id, ['trap'])
    await append(leadStreams.of(done), sent(done, 1))
    await append(leadStreams.of(refused), failed(refused, 3))
    await append(leadStreams.of(askedAgain), sent(askedAgain, 1), again(askedAgain))
    await append(leadStreams.of(sentAgain), failed(sentAgain, 1), again(sentAgain), sent(sentAgain, 2))
    await append(leadStreams.of(released), leadReleased({ by, emailId: released }))
    for (let round = 0; round < 2; round += 1) {
      await restore()
      const rows = await sql<
        { id: string; state: string; attempts: number }[]
      >`select event_id as id, state, attempts from deliveries`
      expect(Object.fromEntries(rows.map(({ id, state, attempts }) => [id, [state, attempts]]))).toEqual({
        [done]: ['delivered', 1],
        [open]: ['pending', 0],
        [refused]: ['rejected', 3],
        [askedAgain]: ['pending', 1],
        [sentAgain]: ['delivered', 2],
        [released]: ['pending', 0],
      })
      expect((await due()).toSorted()).toEqual([open, askedAgain, released].toSorted())
    }
  })

  test('of unread replies are done after three days, as if the visitor had seen them', async () => {
    const [old, recent] = [randomUUID(), randomUUID()]
    for (const id of [old, recent]) {
      const unread = chatAnswersUnread({ after: 0, upTo: 1 }, { subjectId: id, personal: { to: 'a@example.com' } })
      await log.append({ stream: chatActivityStreams.of(id), expectedVersion: 0, events: [{ id, ...unread }] })
    }
    await sql`update events set recorded_at = recorded_at - interval '73 hours' where id = ${old}`
    await catchUpDeliveries(sql, { after: 0, upTo: 2 })
    expect(await due()).toEqual([recent])
    expect(await sql`select state, kind from deliveries join delivery_tries using (event_id)`).toEqual([
      { state: 'delivered', kind: 'seen' },
    ])
  })

  test('of erased people keep no response', async () => {
    const [erased, kept] = [randomUUID(), randomUUID()]
    for (const id of [erased, kept]) await submit(id)
    await restore()
    await sql`update deliveries set last_answer = 'thank you'`
    await sql`insert into delivery_tries (event_id, attempt, answer) select event_id, 1, 'thank you' from deliveries`
    await restore({ ledger: [erased] })
    const rows = await sql<{ id: string; isErased: boolean; last: string | null; answer: string | null }[]>`
      select d.event_id as id, is_erased as "isErased", last_answer as last, t.answer
      from deliveries d join delivery_tries t using (event_id)`
    expect(rows).toContainEqual({ id: erased, isErased: true, last: null, answer: null })
    expect(rows).toContainEqual({ id: kept, isErased: false, last: 'thank you', answer: 'thank you' })
  })
})

test('all sessions of staff end: one that was ended since the backup must not come back', async () => {
  await sql`
    with account as (
      insert into staff (username, display_name, password_hash) values ('thandi', 'Thandi', 'a hash') returning id
    )
    insert into staff_sessions (token_hash, staff_id, expires_at)
    select 'a hash', id, now() + interval '1 day' from account`
  await restore()
  expect(await sql`select 1 from staff_sessions`).toHaveLength(0)
})

test('the tokens of programs end and webhooks are paused: they may have been revoked or removed since the backup', async () => {
  const [maker, standing, revoked, over] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
  await sql`insert into staff (id, username, display_name, password_hash) values (${maker}, ${maker}, 'Somebody', 'a hash')`
  const token = (id: string, members: object) => ({
    ...{ id, name: 'Books', scopes: ['leads:read'], prefix: 'agency_x', token_hash: Buffer.from(id), made_by: maker },
    ...{ expires_at: null, revoked_at: null, ...members },
  })
  const tokens = [
    token(standing, {}),
    token(revoked, { revoked_at: '2026-01-15T08:30:00Z' }),
    token(over, { expires_at: '2026-01-15T08:30:00Z' }),
  ]
  await sql`insert into api_tokens ${sql(tokens)}`
  await sql`
    insert into webhooks (id, url, topics, made_by) values (${randomUUID()}, 'https://a.example/x', '{lead.created}', ${maker})`
  await restore()
  await restore()
  const rows = await sql<{ id: string }[]>`
    select id, ended_by_restore from api_tokens where revoked_at is null and expires_at <= now() order by ended_by_restore`
  expect(rows).toEqual([
    { id: over, ended_by_restore: false },
    { id: standing, ended_by_restore: true },
  ])
  expect(await sql`select 1 from webhooks where paused_at is null or not paused_by_restore`).toHaveLength(0)
})
