import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { destroyKeys } from '../keys/subject-keys.ts'
import { leadAlertRequested, leadAlertStreams } from '../lead/email/alert.ts'
import { type Appender, openAppender } from '../log/append.ts'
import { readEvent, readHead } from '../log/read.ts'
import { ACCOUNTS_STREAM, staffProfileChanged, staffTwoFactorOn } from '../staff/account-history.ts'
import { passwordLinkRequested, passwordLinkStreams } from '../staff/password-link.ts'
import { connect, type Sql } from '../stores/connection.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { openTestKeys, TEST_DATA_KEY } from '../testing/keys.ts'
import { createKeysDatabase, type TestKeysDatabase } from '../testing/keys-database.ts'
import { webhookAlertRequested, webhookAlertStreams } from '../webhook/alert.ts'
import { eraseRemovedAccounts, openAccountEraser } from './removed-accounts.ts'

const LEAD = randomUUID()

let database: TestDatabase
let keysDatabase: TestKeysDatabase
let keysOwner: Sql
let sql: Sql
let log: Appender

beforeAll(async () => {
  database = await createTestDatabase()
  keysDatabase = await createKeysDatabase()
  keysOwner = connect(keysDatabase.url, { max: 1, name: 'test' })
  const keys = openTestKeys(TEST_DATA_KEY, keysOwner)
  sql = connect(database.runtimeUrl, { max: 4, name: 'test', keys })
  log = openAppender(database.runtimeUrl, { keys })
})

afterAll(async () => {
  await log.close()
  await Promise.all([sql.end(), keysOwner.end()])
  await Promise.all([database.drop(), keysDatabase.drop()])
})

/** Creates an account with everything it may have; returns its id and the events that hold its personal data. */
const hire = async () => {
  const id = randomUUID()
  const [factor, link, profile] = [randomUUID(), randomUUID(), randomUUID()]
  const session = randomUUID()
  await sql`
    insert into staff (id, username, display_name, password_hash, alert_email, totp_event, photo, photo_tag)
    values (${id}, ${id}, 'Thandi Nkosi', 'a hash', 'thandi@agency.example', ${factor}, ${randomBytes(8)}, 'a tag')`
  await sql`insert into staff_recovery_codes (staff_id, code_hash) values (${id}, ${randomBytes(32)})`
  await sql`insert into staff_views (staff_id, name, query) values (${id}, 'Her own', 'q=thandi')`
  await sql`
    insert into staff_sessions (id, token_hash, staff_id, expires_at)
    values (${session}, ${randomBytes(32)}, ${id}, now() + interval '1 day')`
  await sql`
    insert into push_subscriptions (endpoint, staff_id, session_id, p256dh, auth)
    values (${`https://push.example/${id}`}, ${id}, ${session}, 'a key', 'a secret')`
  const personal = { secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' }
  const on = staffTwoFactorOn({ accountId: id, by: id, from: null }, { subjectId: factor, personal })
  await log.append({ stream: ACCOUNTS_STREAM, expectedVersion: 'any', events: [{ id: factor, ...on }] })
  const shown = staffProfileChanged(
    { accountId: id, by: id, from: null, changed: ['name'] },
    { subjectId: profile, personal: { displayName: 'Thandi' } },
  )
  await log.append({ stream: ACCOUNTS_STREAM, expectedVersion: 'any', events: [{ id: profile, ...shown }] })
  const asked = passwordLinkRequested({ accountId: id }, { subjectId: link, personal: { to: 'thandi@agency.example' } })
  await log.append({ stream: passwordLinkStreams.of(link), expectedVersion: 0, events: [{ id: link, ...asked }] })
  const alert = randomUUID()
  const alerted = leadAlertRequested(
    { leadId: LEAD, accountId: id, alert: 'new' },
    { subjectId: alert, personal: { to: 'thandi@agency.example' } },
  )
  await log.append({ stream: leadAlertStreams.of(LEAD), expectedVersion: 'any', events: [{ id: alert, ...alerted }] })
  const webhookAlert = randomUUID()
  const paused = webhookAlertRequested(
    { webhookId: randomUUID(), accountId: id, host: 'crm.example', isGone: true },
    { subjectId: webhookAlert, personal: { to: 'thandi@agency.example' } },
  )
  await log.append({
    stream: webhookAlertStreams.of(paused.data.webhookId),
    expectedVersion: 0,
    events: [{ id: webhookAlert, ...paused }],
  })
  const sent = [link, alert]
  await sql`
    insert into deliveries (event_id, event_position, stream, recipient, last_answer)
    select id, position, stream, 'staff', '550 no thandi@agency.example' from events where id = any(${sent})`
  await sql`
    insert into delivery_tries (event_id, attempt, kind, answer)
    select id, 1, 'rejected', '550 no thandi@agency.example' from unnest(${sent}::uuid[]) as s (id)`
  return { id, events: [factor, link, alert, profile, webhookAlert], sent }
}

/** The number of responses to an account's emails that are left, of deliveries and of attempts. */
const answersTo = async ({ sent }: { sent: string[] }) => {
  const [row] = await sql`
    select count(last_answer)::integer as last, count(answer)::integer as tries
    from deliveries join delivery_tries using (event_id) where event_id = any(${sent})`
  return row
}

/** The account's data in the tables outside the log, except its name. */
const heldOf = async (id: string) => {
  const [row] = await sql`
    select password_hash, alert_email, totp_event, photo, photo_tag,
      (select count(*)::integer from staff_recovery_codes where staff_id = s.id) as codes,
      (select count(*)::integer from staff_views where staff_id = s.id) as views,
      (select count(*)::integer from staff_sessions where staff_id = s.id) as sessions,
      (select count(*)::integer from push_subscriptions where staff_id = s.id) as devices
    from staff s where id = ${id}`
  return row
}
const NOTHING = {
  password_hash: '',
  alert_email: null,
  totp_event: null,
  photo: null,
  photo_tag: null,
  codes: 0,
  views: 0,
  sessions: 0,
  devices: 0,
}

const readable = async (ids: string[]) => {
  const events = await Promise.all(ids.map((id) => readEvent(sql, id)))
  return events.map((event) => event?.personal !== null)
}
const tombstones = (store: Sql, ids: string[]) =>
  store`select 1 from subject_keys where subject_id = any(${ids}) and wrapped is null and destroyed_at is not null`

test('nothing is left of a removed account in tables and keys, and all of others', async () => {
  const [leaver, stays] = [await hire(), await hire()]
  const before = await heldOf(stays.id)
  expect(await readable(leaver.events)).toEqual(Array(5).fill(true))
  await sql`update staff set removed_at = now() where id = ${leaver.id}`
  await eraseRemovedAccounts(sql)
  expect(await heldOf(leaver.id)).toEqual(NOTHING)
  expect(await readable(leaver.events)).toEqual(Array(5).fill(false))
  const subjects = [leaver.id, ...leaver.events]
  for (const store of [sql, keysOwner]) {
    expect(await tombstones(store, subjects)).toHaveLength(6)
    expect(await tombstones(store, [LEAD])).toHaveLength(0)
  }
  expect(await answersTo(leaver)).toEqual({ last: 0, tries: 0 })
  expect(await answersTo(stays)).toEqual({ last: 2, tries: 2 })
  expect(await sql`select name from rewrites order by name`).toEqual([{ name: 'deliveries' }, { name: 'subject_keys' }])
  expect(await heldOf(stays.id)).toEqual(before)
  expect(await readable(stays.events)).toEqual(Array(5).fill(true))
})

test('a step that was interrupted between the two stores is repeated, and a finished one is not', async () => {
  const leaver = await hire()
  await sql`update staff set removed_at = now() where id = ${leaver.id}`
  await destroyKeys(sql, openTestKeys(), [leaver.id])
  await Promise.all([eraseRemovedAccounts(sql), eraseRemovedAccounts(sql)])
  expect(await tombstones(keysOwner, [leaver.id, ...leaver.events])).toHaveLength(6)
  expect(await heldOf(leaver.id)).toEqual(NOTHING)
  await sql`delete from rewrites`
  await eraseRemovedAccounts(sql)
  expect(await sql`select 1 from rewrites`).toHaveLength(0)
})

test('a key that is left goes too, though the account is marked as erased', async () => {
  const leaver = await hire()
  const [known, unknown] = [leaver.events.slice(0, -1), leaver.events.slice(-1)]
  await sql`update staff set removed_at = now(), photo = null, photo_tag = null where id = ${leaver.id}`
  await destroyKeys(sql, openTestKeys(TEST_DATA_KEY, keysOwner), [leaver.id, ...known])
  expect(await readable(unknown)).toEqual([true])
  await eraseRemovedAccounts(sql)
  expect(await readable(unknown)).toEqual([false])
  await sql`delete from rewrites`
  await eraseRemovedAccounts(sql)
  expect(await sql`select 1 from rewrites`).toHaveLength(0)
})

test('after the first search only new events are read, and later data of a removed account is erased too', async () => {
  const leaver = await hire()
  await sql`update staff set removed_at = now() where id = ${leaver.id}`
  const erase = openAccountEraser(sql)
  await erase()
  const late = randomUUID()
  const about = { subjectId: late, personal: { to: 'thandi@agency.example' } }
  const alert = leadAlertRequested({ leadId: LEAD, accountId: leaver.id, alert: 'new' }, about)
  await log.append({
    stream: leadAlertStreams.of(LEAD),
    expectedVersion: 'any',
    events: [{ id: late, ...alert }],
  })
  const next = await hire()
  await sql`update staff set removed_at = now() where id = ${next.id}`
  expect(await readable([late, ...next.events])).toEqual(Array(6).fill(true))
  await erase()
  expect(await readable([late, ...next.events])).toEqual(Array(6).fill(false))
  expect(await eraseRemovedAccounts(sql)).toMatchObject({ position: (await readHead(sql)).position })
})
