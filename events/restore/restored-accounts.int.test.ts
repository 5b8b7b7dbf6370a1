import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { AnyNewEvent } from '../catalogue.ts'
import { leadAlertRequested, leadAlertStreams } from '../lead/email/alert.ts'
import { type Appender, openAppender } from '../log/append.ts'
import { ACCOUNTS_STREAM, staffTwoFactorOn } from '../staff/account-history.ts'
import { passwordLinkRequested, passwordLinkStreams } from '../staff/password-link.ts'
import { connect, type Sql } from '../stores/connection.ts'
import { createTestDatabase } from '../testing/database.ts'
import { TEST_KEYS } from '../testing/keys.ts'
import { restoreLog } from './restore.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let sql: Sql
let log: Appender

beforeEach(async () => {
  database = await createTestDatabase()
  sql = connect(database.url, { max: 4, name: 'test', keys: TEST_KEYS })
  log = openAppender(database.url, { keys: TEST_KEYS })
})

afterEach(async () => {
  await sql.end()
  await database.drop()
})

/** Restores while only this test is connected; accounts in the ledger were removed since the backup. */
const restore = async ({ ledger = [] as string[], areKeysLost = false } = {}) => {
  await log.close()
  const erased = ledger.map((subjectId) => ({ subjectId, erasedAt: '2026-01-15T08:30:00.000Z' }))
  const openLog = () => openAppender(database.url, { keys: TEST_KEYS })
  return await restoreLog({ sql, keys: TEST_KEYS, openLog }, { ledger: erased, areKeysLost })
}

test('accounts that were removed since the backup stay removed; an account that lost a key is still there', async () => {
  const hire = async () => {
    const id = randomUUID()
    await sql`
      insert into staff (id, username, display_name, password_hash, alert_email)
      values (${id}, ${id}, 'Somebody', 'a hash', 'own@agency.example')`
    return id
  }
  const [removed, stays, keyless] = [await hire(), await hire(), await hire()]
  const secret = { subjectId: keyless, personal: { secret: 'a secret' } }
  const on = { id: randomUUID(), ...staffTwoFactorOn({ accountId: keyless, by: keyless, from: null }, secret) }
  await log.append({ stream: ACCOUNTS_STREAM, expectedVersion: 'any', events: [on] })
  await sql`delete from subject_keys`
  await restore({ ledger: [removed], areKeysLost: true })
  const rows = await sql<{ id: string }[]>`
    select id from staff where removed_at is null and password_hash <> '' and alert_email is not null`
  const ids = rows.map(({ id }) => id)
  expect([removed, stays, keyless].map((id) => ids.includes(id))).toEqual([false, true, true])
})

test('responses of services to emails to a removed account are not brought back', async () => {
  const answer = '550 no own@agency.example'
  const leadId = randomUUID()
  const send = async (stream: string, event: AnyNewEvent & { id: string }) => {
    await log.append({ stream, expectedVersion: 'any', events: [event] })
    await sql`
      insert into deliveries (event_id, event_position, stream, recipient, last_answer)
      select id, position, stream, 'staff', ${answer} from events where id = ${event.id}`
    await sql`
      insert into delivery_tries (event_id, attempt, kind, answer) values (${event.id}, 1, 'rejected', ${answer})`
    return event.id
  }
  const work = async () => {
    const [accountId, link, alert] = [randomUUID(), randomUUID(), randomUUID()]
    const about = (subjectId: string) => ({ subjectId, personal: { to: 'own@agency.example' } })
    await sql`
      insert into staff (id, username, display_name, password_hash) values (${accountId}, ${accountId}, 'Somebody', 'a hash')`
    await send(passwordLinkStreams.of(link), { id: link, ...passwordLinkRequested({ accountId }, about(link)) })
    const told = leadAlertRequested({ leadId, accountId, alert: 'new' }, about(alert))
    await send(leadAlertStreams.of(leadId), { id: alert, ...told })
    return { accountId, sent: [link, alert] }
  }
  const answersTo = ({ sent }: { sent: string[] }) => sql`
    select 1 from deliveries join delivery_tries using (event_id)
    where event_id = any(${sent}) and (last_answer is not null or answer is not null)`
  const [removed, stays] = [await work(), await work()]
  await restore({ ledger: [removed.accountId] })
  expect(await answersTo(removed)).toHaveLength(0)
  expect(await answersTo(stays)).toHaveLength(2)
  await restore({ ledger: stays.sent.slice(0, 1) }) // a link's key alone
  expect(await answersTo(stays)).toHaveLength(1)
})

test('reports how many owners are left: a removed one is not counted', async () => {
  const [removed, agent] = [randomUUID(), randomUUID()]
  await sql`
    insert into staff (id, username, display_name, password_hash, role) values
      (${removed}, ${removed}, 'Somebody', 'a hash', 'owner'), (${agent}, ${agent}, 'Somebody', 'a hash', 'agent')`
  expect((await restore()).owners).toBe(1)
  expect((await restore({ ledger: [removed] })).owners).toBe(0)
})
